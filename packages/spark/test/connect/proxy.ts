// A connection that can be cut: everything goes through unchanged until then.

import type { AddressInfo } from "node:net";
import { connect, createServer, type Socket } from "node:net";

export interface Proxy {
  port: number;
  /** How many connections were made so far. */
  connections: number;
  /** Cuts every connection now. */
  cut(): void;
  /** Cuts once, after so many more bytes have come from the server. */
  cutAfter(bytes: number): void;
  close(): void;
}

export async function openProxy(host: string, port: number): Promise<Proxy> {
  const sockets = new Set<Socket>();
  let left = Number.POSITIVE_INFINITY;
  const server = createServer((near) => {
    proxy.connections++;
    const far = connect(port, host);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on("error", () => {}).on("close", () => sockets.delete(socket));
    }
    near.pipe(far);
    far.pipe(near);
    far.on("data", (chunk) => {
      left -= chunk.length;
      if (left <= 0) proxy.cut();
    });
    near.on("close", () => far.destroy());
    far.on("close", () => near.destroy());
  });
  const proxy: Proxy = {
    port: 0,
    connections: 0,
    cut() {
      left = Number.POSITIVE_INFINITY;
      for (const socket of sockets) socket.destroy();
    },
    cutAfter(bytes) {
      left = bytes;
    },
    close() {
      server.close();
      proxy.cut();
    },
  };
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  proxy.port = (server.address() as AddressInfo).port;
  return proxy;
}
