import {
  type DataType,
  Field,
  Float32,
  Float64,
  Int64,
  type RecordBatch,
  Schema,
  Table,
  tableToIPC,
  Utf8,
  type Vector,
  vectorFromArray,
} from "apache-arrow";
import { openDraft } from "./file.js";
import { type Cell, type Column, checkNumber, type TableWriter } from "./table.js";

/** Writes an Arrow IPC file (Feather V2), one record batch for each part; built in memory. */
export async function openArrow(path: string, columns: readonly Column[]): Promise<TableWriter> {
  const draft = await openDraft(path);
  const schema = new Schema(columns.map((column) => new Field(column.name, toType(column), true)));
  const batches: RecordBatch[] = [];
  return {
    async write(rows) {
      const vectors: Record<string, Vector> = Object.create(null);
      columns.forEach((column, c) => {
        const values = rows.map((row) => row[c]);
        vectors[column.name] = toVector(column, values, path);
      });
      batches.push(...new Table(schema, vectors).batches);
    },
    async commit() {
      await draft.write(tableToIPC(new Table(schema, batches), "file"));
      await draft.commit();
    },
    discard: () => draft.discard(),
  };
}

function toType({ type }: Column): DataType {
  if (type === "text" || type === "line") return new Utf8();
  if (type === "integer") return new Int64();
  return type === "float" ? new Float32() : new Float64();
}

function toVector(column: Column, values: readonly Cell[], path: string): Vector {
  const convert = (value: Cell) => {
    if (value === null || typeof value === "bigint") return value;
    if (column.type === "text") return String(value);
    const number = checkNumber(value, column, path);
    return column.type === "integer" ? BigInt(number) : number;
  };
  return vectorFromArray(values.map(convert), toType(column));
}
