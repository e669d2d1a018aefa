// What may differ between a reader of ours and its peer, and why.

/** The peer's message matches. */
const says =
  (pattern) =>
  ({ peer }) =>
    peer !== undefined && pattern.test(peer);
const died = { reason: "the peer died", when: says(/^the peer/) };
const large = { reason: "the peer found it too large to compare", when: says(/too large to compare/) };
const encoding = {
  reason: "the command also reads text that is not UTF-8",
  when: ({ reader, peer, text }) => peer !== undefined && reader !== "library" && /[\x80-\xff]/.test(text),
};

export const ALLOWED = {
  npy: [died, large],
  npz: [
    died,
    large,
    { reason: "a sparse matrix need not name its form", when: says(/does not contain a sparse array/) },
  ],
  market: [
    died,
    large,
    encoding,
    {
      reason: "the banner is read in any case",
      when: ({ peer, text }) => /banner/i.test(peer) && /^%%matrixmarket/i.test(text),
    },
    { reason: "values beyond 64 bits are read", when: says(/Integer out of range/) },
  ],
  arff: [died, large],
  libsvm: [
    died,
    large,
    { reason: "labels may be texts", when: says(/could not convert string to float/) },
    { reason: "the command sees by itself that indices count from 0", when: says(/Invalid index 0/) },
    { reason: "without any value there are no features", when: ({ answer }) => answer.shape?.[1] === 0 },
  ],
  csv: [
    died,
    large,
    encoding,
    {
      reason: "lines above the table are skipped, with a note",
      when: ({ peer, reader }) => reader !== "library" && /Expected \d+ columns, got \d+/.test(peer),
    },
    {
      reason: "pyarrow takes any first row for names, and broken quotes for part of them",
      when: ({ difference, text }) => /is not there|rows against/.test(difference) && /^[^\n]*"|\r[^\n]/.test(text),
    },
  ],
  parquet: [
    died,
    large,
    {
      reason: "pyarrow also reads its own schema in the metadata, which holds no values",
      when: says(/base64|flatbuffers|metadata bytes/),
    },
    {
      reason: "hyparquet, which reads in the studio, checks no checksums, levels or small integers",
      when: ({ reader }) => reader === "studio",
    },
    {
      reason: "DuckDB is more lenient with metadata",
      when: says(/Invalid column metadata|Type metadata|expected length|deserialize thrift/),
    },
    {
      reason: "DuckDB does not check what gzip sums up",
      when: says(/GZipCodec failed: incorrect (data|length) check/),
    },
  ],
  arrow: [
    died,
    large,
    { reason: "without columns there is nothing to read", when: ({ answer }) => answer.columns?.length === 0 },
  ],
};
