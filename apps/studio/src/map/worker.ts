import { answerCalls } from "../session/remote.js";
import { MapGeometry } from "./geometry.js";

answerCalls(new MapGeometry(), String);
