package store

// DuckDB's allocator gives memory back to the system after a second, and the next step of a run
// asks for it again; ten seconds are jemalloc's own default. The name is the one that jemalloc keeps for the
// programs it is linked into; without jemalloc in DuckDB it says nothing to nobody.
// Source: https://jemalloc.net/jemalloc.3.html#tuning

// const char *duckdb_je_malloc_conf_2_conf_harder = "dirty_decay_ms:10000";
import "C"
