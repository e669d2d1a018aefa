/**
 * The assignment problem by shortest augmenting paths with potentials: Kuhn 1955; Jonker and Volgenant, "A shortest
 * augmenting path algorithm for dense and sparse linear assignment problems", Computing 38, 1987. O(r²c) for r ≤ c.
 *
 * @param cost r × c, row-major, finite
 * @returns for each row its column, with the least sum of costs; −1 for unmatched rows when r > c
 */
export function assign(cost: Float64Array, rows: number, cols: number): Int32Array {
  if (rows > cols) return invert(assign(transpose(cost, rows, cols), cols, rows), rows);
  // Column `cols` is virtual: the row being placed starts there, and its augmenting path ends at a free column.
  const rowOf = new Int32Array(cols + 1).fill(-1);
  const rowPotential = new Float64Array(rows);
  const colPotential = new Float64Array(cols + 1);
  const slack = new Float64Array(cols);
  const previous = new Int32Array(cols);
  const reached = new Uint8Array(cols + 1);

  for (let start = 0; start < rows; start++) {
    slack.fill(Number.POSITIVE_INFINITY);
    reached.fill(0);
    rowOf[cols] = start;
    let col = cols;
    while (rowOf[col] >= 0) {
      reached[col] = 1;
      const row = rowOf[col];
      let step = Number.POSITIVE_INFINITY;
      let next = -1;
      for (let j = 0; j < cols; j++) {
        if (reached[j]) continue;
        const reduced = cost[row * cols + j] - rowPotential[row] - colPotential[j];
        if (reduced < slack[j]) {
          slack[j] = reduced;
          previous[j] = col;
        }
        if (slack[j] < step) {
          step = slack[j];
          next = j;
        }
      }
      for (let j = 0; j <= cols; j++) {
        if (reached[j]) {
          rowPotential[rowOf[j]] += step;
          colPotential[j] -= step;
        } else {
          slack[j] -= step;
        }
      }
      col = next;
    }
    while (col !== cols) {
      rowOf[col] = rowOf[previous[col]];
      col = previous[col];
    }
  }
  return invert(rowOf.subarray(0, cols), rows);
}

function invert(places: Int32Array, length: number): Int32Array {
  const out = new Int32Array(length).fill(-1);
  for (let i = 0; i < places.length; i++) if (places[i] >= 0) out[places[i]] = i;
  return out;
}

function transpose(cost: Float64Array, rows: number, cols: number): Float64Array {
  const out = new Float64Array(rows * cols);
  for (let i = 0; i < rows; i++) for (let j = 0; j < cols; j++) out[j * rows + i] = cost[i * cols + j];
  return out;
}
