import { describe, expect, it } from "vitest";
import { resume } from "../../src/model/fit.js";
import { loadModel } from "../../src/model/model-file.js";

describe("a file of format version 1", () => {
  const X = [
    [5, -1, 0],
    [4, -2, 1],
    [5, -2, 0],
    [0, 3, 4],
    [1, 2, 5],
    [0, 3, 5],
  ];
  const read = (text: string) => loadModel(Buffer.from(text, "base64"));

  it.each([
    ["labels" as const, [1, 1, 1, 0, 0, 0]],
    ["real" as const, [1, 1, 1, 0, 0, 0]],
    ["rays" as const, [0, 0, 0, 1, 1, 1]],
  ])("with %s is read and predicts what it stored", (form, labels) => {
    const model = read(GOLDEN[form]);
    expect(model.codes.form).toBe(form);
    expect([...model.labels]).toEqual(labels);
    expect([...model.predict(X)]).toEqual(labels);
  });

  it("says all it said", async () => {
    const { labels, rays } = GOLDEN;
    expect(read(labels)).toMatchObject({ version: "0.1.0", method: "bonmf", k: 2, seed: 1, stopped: "fixed-point" });
    expect(read(labels)).toMatchObject({ iterations: 3, potential: 6.77909500548563, featureNames: ["a", "b", "c"] });
    expect(read(rays)).toMatchObject({ stopped: "aborted", restart: 1, best: { restart: 0, stopped: "tolerance" } });
    expect((await resume(read(rays), X)).converged).toBe(true);
  });
});

/**
 * Files that every later version must read, written in format version 1 by
 *
 *   const X = [[5, -1, 0], [4, -2, 1], [5, -2, 0], [0, 3, 4], [1, 2, 5], [0, 3, 5]];
 *   labels: await fit(X, { k: 2, seed: 1, scale: "minmax", featureNames: ["a", "b", "c"] })
 *   real: await fit(X, { k: 2, seed: 1, scale: "shift", method: "nmf", maxIterations: 3 })
 *   rays, where an abort at the first step of restart 1 left a model with a best:
 *   await fit(X, { k: 2, seed: 2, scale: "split", method: "em-onmf", restarts: 3, signal, onStep })
 *
 * and Buffer.from(saveModel(model)).toString("base64").
 */
const GOLDEN = {
  labels: `
  SAQAAAAAAAB7Il9fbWV0YWRhdGFfXyI6eyJmb3JtYXQiOiJib25tZiIsImZvcm1hdF92ZXJzaW9uIjoiMSIsImxpYnJhcnlfdmVyc2lvbiI6IjAuMS4wIi
  wibW9kZWwiOiJ7XCJ2ZXJzaW9uXCI6XCIwLjEuMFwiLFwicHJlY2lzaW9uXCI6XCJmMzJcIixcInNldHRpbmdzXCI6e1wibWV0aG9kXCI6XCJib25tZlwi
  LFwia1wiOjIsXCJzZWVkXCI6MSxcImluaXRcIjpcImNvbHVtbnNcIixcIm1heEl0ZXJhdGlvbnNcIjozMDAsXCJ0b2xlcmFuY2VcIjowLFwicmVzdGFydH
  NcIjoxLFwiZW1wdHlDbHVzdGVyc1wiOlwicmVzZWVkXCIsXCJ1cGRhdGVcIjpcIm1lYW5cIixcImFscGhhXCI6MSxcInN3ZWVwc1wiOjF9LFwiZm9ybVwi
  OlwibGFiZWxzXCIsXCJzdG9wcGVkXCI6XCJmaXhlZC1wb2ludFwiLFwicmVwYWlyc1wiOjEsXCJ6ZXJvU2FtcGxlc1wiOjAsXCJub3JtU3FcIjo4LjA0MD
  AwMDA2MDc5NjczNyxcInJlc3RhcnRcIjowLFwic2NhbGVyXCI6XCJtaW5tYXhcIixcImZlYXR1cmVzXCI6MyxcImZlYXR1cmVOYW1lc1wiOltcImFcIixc
  ImJcIixcImNcIl0sXCJiZXN0XCI6bnVsbH0ifSwiVyI6eyJkdHlwZSI6IkY2NCIsInNoYXBlIjpbMiwzXSwiZGF0YV9vZmZzZXRzIjpbMCw0OF19LCJoaX
  N0b3J5LmNoYW5nZWQiOnsiZHR5cGUiOiJGNjQiLCJzaGFwZSI6WzNdLCJkYXRhX29mZnNldHMiOls0OCw3Ml19LCJoaXN0b3J5LmZpbmdlcnByaW50Ijp7
  ImR0eXBlIjoiRjY0Iiwic2hhcGUiOlszXSwiZGF0YV9vZmZzZXRzIjpbNzIsOTZdfSwiaGlzdG9yeS5wb3RlbnRpYWwiOnsiZHR5cGUiOiJGNjQiLCJzaG
  FwZSI6WzNdLCJkYXRhX29mZnNldHMiOls5NiwxMjBdfSwiaGlzdG9yeS5yZWxhdGl2ZUVycm9yIjp7ImR0eXBlIjoiRjY0Iiwic2hhcGUiOlszXSwiZGF0
  YV9vZmZzZXRzIjpbMTIwLDE0NF19LCJzY2FsZXIubWluIjp7ImR0eXBlIjoiRjY0Iiwic2hhcGUiOlszXSwiZGF0YV9vZmZzZXRzIjpbMTQ0LDE2OF19LC
  JzY2FsZXIucmFuZ2UiOnsiZHR5cGUiOiJGNjQiLCJzaGFwZSI6WzNdLCJkYXRhX29mZnNldHMiOlsxNjgsMTkyXX0sImxhYmVscyI6eyJkdHlwZSI6IlU4
  Iiwic2hhcGUiOls2XSwiZGF0YV9vZmZzZXRzIjpbMTkyLDE5OF19fSAgVVVVFRERsT8AAADg3d3tPwAAAODd3e0/AAAA4N3d7T9VVVUVERGxP1VVVRUREb
  E/AAAAAAAAGEAAAAAAAAAIQAAAAAAAAAAAxtunwKTXJ0NTV0Fyd480Q1NXQXJ3jzRDLqH9L9zIFECgJsQUyx0bQKAmxBTLHRtAEHOsDs075T/VtiD/sLnY
  P3AOVYuNDsI/AAAAAAAAAAAAAAAAAAAAwAAAAAAAAAAAAAAAAAAAFEAAAAAAAAAUQAAAAAAAABRAAQEBAAAA`,
  real: `
  KAQAAAAAAAB7Il9fbWV0YWRhdGFfXyI6eyJmb3JtYXQiOiJib25tZiIsImZvcm1hdF92ZXJzaW9uIjoiMSIsImxpYnJhcnlfdmVyc2lvbiI6IjAuMS4wIi
  wibW9kZWwiOiJ7XCJ2ZXJzaW9uXCI6XCIwLjEuMFwiLFwicHJlY2lzaW9uXCI6XCJmMzJcIixcInNldHRpbmdzXCI6e1wibWV0aG9kXCI6XCJubWZcIixc
  ImtcIjoyLFwic2VlZFwiOjEsXCJpbml0XCI6XCJubmRzdmRcIixcIm1heEl0ZXJhdGlvbnNcIjozLFwidG9sZXJhbmNlXCI6MC4wMDAwMSxcInJlc3Rhcn
  RzXCI6MSxcImVtcHR5Q2x1c3RlcnNcIjpcInJlc2VlZFwiLFwidXBkYXRlXCI6XCJtZWFuXCIsXCJhbHBoYVwiOjEsXCJzd2VlcHNcIjoxfSxcImZvcm1c
  IjpcInJlYWxcIixcInN0b3BwZWRcIjpcIml0ZXJhdGlvbnNcIixcInJlcGFpcnNcIjowLFwiemVyb1NhbXBsZXNcIjowLFwibm9ybVNxXCI6MjAxLFwicm
  VzdGFydFwiOjAsXCJzY2FsZXJcIjpcInNoaWZ0XCIsXCJmZWF0dXJlc1wiOjMsXCJmZWF0dXJlTmFtZXNcIjpudWxsLFwiYmVzdFwiOm51bGx9In0sIkgi
  OnsiZHR5cGUiOiJGNjQiLCJzaGFwZSI6WzYsMl0sImRhdGFfb2Zmc2V0cyI6WzAsOTZdfSwiVyI6eyJkdHlwZSI6IkY2NCIsInNoYXBlIjpbMiwzXSwiZG
  F0YV9vZmZzZXRzIjpbOTYsMTQ0XX0sImhpc3RvcnkuY2hhbmdlZCI6eyJkdHlwZSI6IkY2NCIsInNoYXBlIjpbM10sImRhdGFfb2Zmc2V0cyI6WzE0NCwx
  NjhdfSwiaGlzdG9yeS5maW5nZXJwcmludCI6eyJkdHlwZSI6IkY2NCIsInNoYXBlIjpbM10sImRhdGFfb2Zmc2V0cyI6WzE2OCwxOTJdfSwiaGlzdG9yeS
  5wb3RlbnRpYWwiOnsiZHR5cGUiOiJGNjQiLCJzaGFwZSI6WzNdLCJkYXRhX29mZnNldHMiOlsxOTIsMjE2XX0sImhpc3RvcnkucmVsYXRpdmVFcnJvciI6
  eyJkdHlwZSI6IkY2NCIsInNoYXBlIjpbM10sImRhdGFfb2Zmc2V0cyI6WzIxNiwyNDBdfSwic2NhbGVyLmxvdyI6eyJkdHlwZSI6IkY2NCIsInNoYXBlIj
  pbM10sImRhdGFfb2Zmc2V0cyI6WzI0MCwyNjRdfSwibGFiZWxzIjp7ImR0eXBlIjoiVTgiLCJzaGFwZSI6WzZdLCJkYXRhX29mZnNldHMiOlsyNjQsMjcw
  XX19ICAgICAgIDES8VI4hMQ/SMiQIFllDUAFg/22q47GP9FLpkrRvQdACx809Afhgj/YUyol5xsMQJuraDuzshNAad3aAmqG+T+uw50HpoUSQDp+xjcMcw
  FAUPINTi/iFUD3tx8i8lv8PwW/cvx+vZc/Nb/DCkXB5T/SRI7ZsrLlP+fKQaN8se0/1s5X2rN43T9blJOlFm/dPwAAAAAAABhAAAAAAAAAGEAAAAAAAAAY
  QAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAMRG5L6EjVBAhGeA6CSAR0BgfTsn9K47QE5xEwO7XeI/2pwjbcDy3j+z+mfhZMDXPwAAAAAAAAAAAAAAAAAAAM
  AAAAAAAAAAAAEBAQAAAA==`,
  rays: `
  wAgAAAAAAAB7Il9fbWV0YWRhdGFfXyI6eyJmb3JtYXQiOiJib25tZiIsImZvcm1hdF92ZXJzaW9uIjoiMSIsImxpYnJhcnlfdmVyc2lvbiI6IjAuMS4wIi
  wibW9kZWwiOiJ7XCJ2ZXJzaW9uXCI6XCIwLjEuMFwiLFwicHJlY2lzaW9uXCI6XCJmMzJcIixcInNldHRpbmdzXCI6e1wibWV0aG9kXCI6XCJlbS1vbm1m
  XCIsXCJrXCI6MixcInNlZWRcIjoyLFwiaW5pdFwiOlwicGx1c3BsdXNcIixcIm1heEl0ZXJhdGlvbnNcIjo1MDAsXCJ0b2xlcmFuY2VcIjoxZS0xMCxcIn
  Jlc3RhcnRzXCI6MyxcImVtcHR5Q2x1c3RlcnNcIjpcInJlc2VlZFwiLFwidXBkYXRlXCI6XCJtZWFuXCIsXCJhbHBoYVwiOjEsXCJzd2VlcHNcIjoxfSxc
  ImZvcm1cIjpcInJheXNcIixcInN0b3BwZWRcIjpcImFib3J0ZWRcIixcInJlcGFpcnNcIjowLFwiemVyb1NhbXBsZXNcIjowLFwibm9ybVNxXCI6MTguMD
  AwMDAwNTY3NDAwNzQsXCJyZXN0YXJ0XCI6MSxcInNjYWxlclwiOlwic3BsaXRcIixcImZlYXR1cmVzXCI6MyxcImZlYXR1cmVOYW1lc1wiOm51bGwsXCJi
  ZXN0XCI6e1widmVyc2lvblwiOlwiMC4xLjBcIixcInByZWNpc2lvblwiOlwiZjMyXCIsXCJzZXR0aW5nc1wiOntcIm1ldGhvZFwiOlwiZW0tb25tZlwiLF
  wia1wiOjIsXCJzZWVkXCI6MixcImluaXRcIjpcInBsdXNwbHVzXCIsXCJtYXhJdGVyYXRpb25zXCI6NTAwLFwidG9sZXJhbmNlXCI6MWUtMTAsXCJyZXN0
  YXJ0c1wiOjMsXCJlbXB0eUNsdXN0ZXJzXCI6XCJyZXNlZWRcIixcInVwZGF0ZVwiOlwibWVhblwiLFwiYWxwaGFcIjoxLFwic3dlZXBzXCI6MX0sXCJmb3
  JtXCI6XCJyYXlzXCIsXCJzdG9wcGVkXCI6XCJ0b2xlcmFuY2VcIixcInJlcGFpcnNcIjowLFwiemVyb1NhbXBsZXNcIjowLFwibm9ybVNxXCI6MTguMDAw
  MDAwNTY3NDAwNzQsXCJyZXN0YXJ0XCI6MCxcInNjYWxlclwiOlwic3BsaXRcIixcImZlYXR1cmVzXCI6MyxcImZlYXR1cmVOYW1lc1wiOm51bGwsXCJiZX
  N0XCI6bnVsbH19In0sIlciOnsiZHR5cGUiOiJGNjQiLCJzaGFwZSI6WzIsNl0sImRhdGFfb2Zmc2V0cyI6WzAsOTZdfSwiYmVzdC5XIjp7ImR0eXBlIjoi
  RjY0Iiwic2hhcGUiOlsyLDZdLCJkYXRhX29mZnNldHMiOls5NiwxOTJdfSwiYmVzdC5oaXN0b3J5LmNoYW5nZWQiOnsiZHR5cGUiOiJGNjQiLCJzaGFwZS
  I6WzZdLCJkYXRhX29mZnNldHMiOlsxOTIsMjQwXX0sImJlc3QuaGlzdG9yeS5maW5nZXJwcmludCI6eyJkdHlwZSI6IkY2NCIsInNoYXBlIjpbNl0sImRh
  dGFfb2Zmc2V0cyI6WzI0MCwyODhdfSwiYmVzdC5oaXN0b3J5LnBvdGVudGlhbCI6eyJkdHlwZSI6IkY2NCIsInNoYXBlIjpbNl0sImRhdGFfb2Zmc2V0cy
  I6WzI4OCwzMzZdfSwiYmVzdC5oaXN0b3J5LnJlbGF0aXZlRXJyb3IiOnsiZHR5cGUiOiJGNjQiLCJzaGFwZSI6WzZdLCJkYXRhX29mZnNldHMiOlszMzYs
  Mzg0XX0sImJlc3Quc2NhbGVyLm1lYW4iOnsiZHR5cGUiOiJGNjQiLCJzaGFwZSI6WzNdLCJkYXRhX29mZnNldHMiOlszODQsNDA4XX0sImJlc3Quc2NhbG
  VyLnNkIjp7ImR0eXBlIjoiRjY0Iiwic2hhcGUiOlszXSwiZGF0YV9vZmZzZXRzIjpbNDA4LDQzMl19LCJiZXN0LnZhbHVlcyI6eyJkdHlwZSI6IkY2NCIs
  InNoYXBlIjpbNl0sImRhdGFfb2Zmc2V0cyI6WzQzMiw0ODBdfSwiaGlzdG9yeS5jaGFuZ2VkIjp7ImR0eXBlIjoiRjY0Iiwic2hhcGUiOlsxXSwiZGF0YV
  9vZmZzZXRzIjpbNDgwLDQ4OF19LCJoaXN0b3J5LmZpbmdlcnByaW50Ijp7ImR0eXBlIjoiRjY0Iiwic2hhcGUiOlsxXSwiZGF0YV9vZmZzZXRzIjpbNDg4
  LDQ5Nl19LCJoaXN0b3J5LnBvdGVudGlhbCI6eyJkdHlwZSI6IkY2NCIsInNoYXBlIjpbMV0sImRhdGFfb2Zmc2V0cyI6WzQ5Niw1MDRdfSwiaGlzdG9yeS
  5yZWxhdGl2ZUVycm9yIjp7ImR0eXBlIjoiRjY0Iiwic2hhcGUiOlsxXSwiZGF0YV9vZmZzZXRzIjpbNTA0LDUxMl19LCJzY2FsZXIubWVhbiI6eyJkdHlw
  ZSI6IkY2NCIsInNoYXBlIjpbM10sImRhdGFfb2Zmc2V0cyI6WzUxMiw1MzZdfSwic2NhbGVyLnNkIjp7ImR0eXBlIjoiRjY0Iiwic2hhcGUiOlszXSwiZG
  F0YV9vZmZzZXRzIjpbNTM2LDU2MF19LCJ2YWx1ZXMiOnsiZHR5cGUiOiJGNjQiLCJzaGFwZSI6WzZdLCJkYXRhX29mZnNldHMiOls1NjAsNjA4XX0sImJl
  c3QubGFiZWxzIjp7ImR0eXBlIjoiVTgiLCJzaGFwZSI6WzZdLCJkYXRhX29mZnNldHMiOls2MDgsNjE0XX0sImxhYmVscyI6eyJkdHlwZSI6IlU4Iiwic2
  hhcGUiOls2XSwiZGF0YV9vZmZzZXRzIjpbNjE0LDYyMF19fQAAAAAdCvI/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAB0K8j8AAAAAHQryPwAAAAAA
  AAAAAAAAAB0K8j8AAABgvKXlPwAAAAAdCvI/AAAAAAAAAAAAAAAAAAAAADV2il5Bn+I/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAlvMhwYkt4j81dopeQZ
  /iPwAAAAAAAAAA/sf2XEGf4j+3Cl3EiS3iP/7H9lxBn+I/AAAAAAAAAAAAAAAAAAAAAAAAAAAAABhAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA
  AAAAAAAAAAAAAIjtwcUXhhlDiO3BxReGGUOI7cHFF4YZQ4jtwcUXhhlDiO3BxReGGUOI7cHFF4YZQ6DMWwtdz/E/gKKjfCFO4T+AVpReUUnhP8ArnjBQSe
  E/QCxUMFBJ4T9AGlQwUEnhP2GgjBen1M8/P9LHfrgvxj9i6txzoizGP7+3MLKhLMY/u0EBsqEsxj8vNgGyoSzGPwAAAAAAAARAAAAAAAAA4D8AAAAAAAAE
  QNMxTwclvQFA0zFPByW9AUDTMU8HJb0BQE1ca+/yJPs/tnGM31HY9j+KodEESz7/P5X6u+7yJPs/BZ9N4FHY9j/JwNwESz7/PwAAAAAAAAAAiO3BxReGGU
  NABpX/TlDsPwsBZRcGYcw/AAAAAAAABEAAAAAAAADgPwAAAAAAAARA0zFPByW9AUDTMU8HJb0BQNMxTwclvQFANljXubu76z9ssK5zd3fnP////////+8/
  ////////7z8cETmxImjoPwQhVtmKoPE/AAAAAQEBAAAAAQEB`,
};
