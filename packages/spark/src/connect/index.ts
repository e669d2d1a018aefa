export { connect } from "./client.js";
export { type SparkCode, type SparkDetails, SparkError } from "./error.js";
export type { Column, ConnectOptions, Parameter, QueryOptions, Row, Session, SignalOption } from "./session.js";
