/** Names of devices, which Windows finds in every folder and with any ending. */
const DEVICE = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?=\.|$)/i;

/**
 * Where the members of an archive are written, relative to a folder: under their own names, as far as the file system
 * can hold them. What it cannot hold side by side (A.csv and a.csv for some, a file x and a file in x for all) goes to
 * folders apart: 0, 1 …
 *
 * @param members paths with "/" that stay inside the folder
 */
export function placeMembers(members: readonly string[], platform: string = process.platform): string[] {
  const layers: { readonly files: Set<string>; readonly folders: Set<string> }[] = [];
  return members.map((member) => {
    const path = platform === "win32" ? member.split("/").map(spellForWindows).join("/") : member;
    const key = path.normalize("NFC").toLowerCase();
    const above = Array.from(key.matchAll(/\//g), ({ index }) => key.slice(0, index));
    let layer = layers.findIndex(
      ({ files, folders }) => !files.has(key) && !folders.has(key) && !above.some((folder) => files.has(folder)),
    );
    if (layer < 0) layer = layers.push({ files: new Set(), folders: new Set() }) - 1;
    layers[layer].files.add(key);
    for (const folder of above) layers[layer].folders.add(folder);
    return `${layer}/${path}`;
  });
}

/** Characters and names that Windows refuses or takes for devices, as %XX. */
function spellForWindows(name: string): string {
  return name
    .replace(/[<>:"|?*\\]|\p{Cc}|[. ]$/gu, encode)
    .replace(DEVICE, (device) => encode(device[0]) + device.slice(1));
}

function encode(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;
}
