package pipeline

import (
	"context"
	"math"
	"os"

	"retrytax/internal/store"
)

// bytesOfRow is how long a line of a log or of a bill is, roughly.
const bytesOfRow = 150

// spreadOverFiles sets the database's threads for reading files: results do not hang on it.
func spreadOverFiles(ctx context.Context, s *store.Store, files []File) error {
	sum := int64(0)
	for _, f := range files {
		st, err := os.Stat(f.Input.Name)
		if err != nil || !st.Mode().IsRegular() {
			return s.Spread(ctx, math.MaxInt64) // standard input, or within an archive: its size is not known
		}
		sum += st.Size()
	}
	return s.Spread(ctx, sum/bytesOfRow)
}
