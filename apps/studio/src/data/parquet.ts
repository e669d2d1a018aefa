import { allowBytes, requireMemory } from "bonmf/io";
import { type Column, type ColumnTable, toColumns, toTable, UserError } from "bonmf-data";

/** A value as a column has it; one of the column that is being decoded. */
const CELL_BYTES = 8;

/** Reads the columns of a Parquet file; the decoders are loaded when the first such file is opened. */
export async function readParquet(buffer: ArrayBuffer, name: string): Promise<ColumnTable> {
  try {
    return await decode(buffer, name);
  } catch (error) {
    if (error instanceof UserError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new UserError(`${name} cannot be read as a Parquet file: ${reason}`, "write it again", { cause: error });
  }
}

async function decode(buffer: ArrayBuffer, name: string): Promise<ColumnTable> {
  const [{ parquetMetadata, parquetRead, parquetSchema }, { compressors }, { checkPages }] = await Promise.all([
    import("hyparquet"),
    import("hyparquet-compressors"),
    import("./parquet-pages.js"),
  ]);
  const metadata = parquetMetadata(buffer);
  const rows = Number(metadata.num_rows);
  if (rows === 0) throw new UserError(`${name} has columns but no rows`);
  const names = parquetSchema(metadata).children.map(({ element }) => element.name);
  const allowed = allowBytes(buffer.byteLength);
  requireMemory(CELL_BYTES * rows * names.length, allowed, `${name} claims ${rows} rows`);
  checkPages(buffer, metadata, compressors, allowed);
  const columns: Column[] = [];
  // One at a time: what was decoded goes before the next comes.
  for (const column of names) {
    const values: unknown[] = new Array(rows);
    await parquetRead({
      file: buffer,
      metadata,
      compressors,
      columns: [column],
      onChunk({ columnData, rowStart }) {
        for (let i = 0; i < columnData.length; i++) values[rowStart + i] = columnData[i];
      },
    });
    columns.push(...toColumns(column, values, (row) => `${name}, row ${row + 1}`));
  }
  return toTable(columns, rows);
}
