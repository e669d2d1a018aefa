export interface ClusterOptions {
  workers?: number;
  /** Of each worker. */
  cores?: number;
  memory?: string;
  /** What the Connect server wants to be told. */
  token?: string;
  /** PATH of the workers. */
  path?: string;
  /** Settings of the Connect server. */
  conf?: Record<string, string | number | boolean>;
  note?: (text: string) => void;
}

export interface Cluster {
  readonly url: string;
  readonly master: string;
  readonly home: string;
  readonly python: string;
  readonly folder: string;
  killWorker(number: number): Promise<void>;
  startWorker(number: number): void;
  restartConnect(): Promise<void>;
  stopConnect(): Promise<void>;
  startConnect(): Promise<void>;
  stop(): Promise<void>;
}

export function startCluster(options?: ClusterOptions): Promise<Cluster>;
