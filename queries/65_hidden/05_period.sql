-- What a database that lives holds of the period asked for, with two days about it: in memory, before
-- the tables of the file. The report looks for what it needs in the file when these are gone.
CREATE TABLE memory.main.int_charges AS
SELECT * FROM kept.main.int_charges
WHERE charged_at >= CAST(getvariable('period_from') AS TIMESTAMP) - INTERVAL 2 DAY AND charged_at < CAST(getvariable('period_to') AS TIMESTAMP) + INTERVAL 2 DAY;
CREATE TABLE memory.main.int_windows AS
SELECT * FROM kept.main.int_windows
WHERE t0 >= CAST(getvariable('period_from') AS TIMESTAMP) - INTERVAL 2 DAY AND t0 < CAST(getvariable('period_to') AS TIMESTAMP) + INTERVAL 2 DAY;
CREATE TABLE memory.main.int_matches AS
SELECT m.* FROM kept.main.int_matches m SEMI JOIN memory.main.int_charges c ON c.charge_no = m.charge_no;
CREATE TABLE memory.main.fct_charges AS
SELECT f.* FROM kept.main.fct_charges f SEMI JOIN memory.main.int_charges c ON c.charge_no = f.charge_no;
