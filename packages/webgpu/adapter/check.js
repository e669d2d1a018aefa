// Runs the tests that need a GPU adapter (*.adapter.test.ts) on a software adapter: Dawn in Node, on the Vulkan driver that comes with
// Chromium (SwiftShader), and the loader beside it where the system has none. Debian's lavapipe serves as well where it is new enough
// for Dawn: Mesa 22.3 is not.
//
// WEBGPU_MODULE:    a folder whose node_modules holds the package webgpu, which is no dependency of this repository: 132 MB.
// VK_ICD_FILENAMES: the driver, when it is not Chromium's.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const DRIVERS = [
  "/usr/lib/chromium/vk_swiftshader_icd.json",
  "/usr/lib/chromium-browser/vk_swiftshader_icd.json",
  "/opt/google/chrome/vk_swiftshader_icd.json",
];

if (!process.env.WEBGPU_MODULE)
  throw new Error("set WEBGPU_MODULE to a folder in which the package webgpu is installed");
const driver = process.env.VK_ICD_FILENAMES ?? DRIVERS.find((path) => existsSync(path));
if (!driver) throw new Error(`there is no software driver: install Chromium, or set VK_ICD_FILENAMES`);
const env = {
  ...process.env,
  VK_ICD_FILENAMES: driver,
  LD_LIBRARY_PATH: [process.env.LD_LIBRARY_PATH, dirname(driver)].filter(Boolean).join(delimiter),
  XDG_RUNTIME_DIR: process.env.XDG_RUNTIME_DIR ?? tmpdir(),
};
const args = ["node_modules/vitest/vitest.mjs", "run", "packages/webgpu", ...process.argv.slice(2)];
const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: "inherit", env });
process.exitCode = status ?? 1;
