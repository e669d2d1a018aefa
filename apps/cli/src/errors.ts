export { UserError } from "bonmf-data/errors";
