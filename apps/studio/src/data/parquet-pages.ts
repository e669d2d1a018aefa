import type { ColumnMetaData, FileMetaData } from "hyparquet";
import { parquetHeader } from "hyparquet/src/column.js";

/**
 * Follows the pages of every column from header to header, and throws where one leads nowhere or a column has fewer values than
 * it claims: the package believes headers. It also believes the lengths of runs inside pages, which are not checked here.
 */
export function checkPages(buffer: ArrayBuffer, { row_groups }: FileMetaData): void {
  for (const { columns } of row_groups) {
    for (const { meta_data } of columns) if (meta_data) checkColumn(buffer, meta_data);
  }
}

function checkColumn(buffer: ArrayBuffer, column: ColumnMetaData): void {
  const { data_page_offset, dictionary_page_offset, total_compressed_size, num_values } = column;
  let at = Number(dictionary_page_offset || data_page_offset);
  const end = at + Number(total_compressed_size);
  if (!(at >= 0 && end >= at && end <= buffer.byteLength)) throw new Error("a column ends after the file");
  let values = 0;
  while (at < end) {
    const reader = { view: new DataView(buffer, at, end - at), offset: 0 };
    const header = parquetHeader(reader);
    const { compressed_page_size: size, uncompressed_page_size: unpacked } = header;
    if (!(size >= 0 && unpacked >= 0)) throw new Error("a page has no size");
    at += reader.offset + size;
    const count = (header.data_page_header ?? header.data_page_header_v2)?.num_values ?? 0;
    if (!(count >= 0)) throw new Error("a page has no values");
    values += count;
  }
  if (at !== end) throw new Error("a page ends after its column");
  if (values !== Number(num_values)) throw new Error(`a column claims ${num_values} values but has ${values}`);
}
