"""When two rows of two tables are the same: equal in every column that is compared.

    numbers     as float64: 3, 3.0 and True are 3, 3, 1. Whole numbers against whole numbers exactly, whatever
                their size. Against a float32 column the others are rounded to float32, as it was
    text        as it is written
    times       to the microsecond; those with a time zone as the moment they are, those without as they stand
    missing     equal to missing, in whatever form: None, NaN, NaT, null, masked
    others      as Python's ``==`` says, if they can be hashed; also columns that hold several of these

Text and numbers are never equal, and a column that is text in one table and numbers in the other is an error.
Columns are taken by name, in any order, or by place where there are no names.
"""
