import { constants } from "node:buffer";
import { promisify } from "node:util";
import { crc32, inflateRaw } from "node:zlib";
import type { ZipCodec } from "bonmf-data";

const inflate = promisify(inflateRaw);

/** Archives by Node's zlib. */
export const zlib: ZipCodec = {
  async inflate(content, size) {
    try {
      return await inflate(content, { maxOutputLength: Math.max(1, size) });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE") return undefined;
      throw error;
    }
  },
  crc32,
  most: constants.MAX_LENGTH,
};
