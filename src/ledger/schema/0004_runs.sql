-- Runs are experiments of one arm: the folder of their attempts. NULL for experiments from files.
ALTER TABLE experiment ADD COLUMN run TEXT;
