import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

// Tests that need the datasets look at BONMF_DATA_DIR; a checkout with the data beside it needs no setting.
const beside = fileURLToPath(new URL("../../../../shared/datasets", import.meta.url));
if (!process.env.BONMF_DATA_DIR && existsSync(beside)) process.env.BONMF_DATA_DIR = beside;
