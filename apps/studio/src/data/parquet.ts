import { type Column, type ColumnTable, toColumns, toTable, UserError } from "bonmf-data";

/** Reads the columns of a Parquet file; the decoders are loaded when the first such file is opened. */
export async function readParquet(buffer: ArrayBuffer, name: string): Promise<ColumnTable> {
  const [{ parquetMetadata, parquetRead, parquetSchema }, { compressors }] = await Promise.all([
    import("hyparquet"),
    import("hyparquet-compressors"),
  ]);
  const metadata = parquetMetadata(buffer);
  const rows = Number(metadata.num_rows);
  if (rows === 0) throw new UserError(`${name} has columns but no rows`);
  const names = parquetSchema(metadata).children.map(({ element }) => element.name);
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
