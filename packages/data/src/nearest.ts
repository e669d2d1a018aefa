export { askNearest, findNearest } from "bonmf/nearest";
