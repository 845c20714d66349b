// Package figure draws what the cost model says: curves, heat maps, tornados, as SVG or PNG.
//
// It draws what report structs say and computes no money. The same input gives the same bytes.
package figure
