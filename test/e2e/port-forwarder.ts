import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** Forwards each connection to the first of several servers that accepts it, as a load balancer before gateways does. */
export class PortForwarder {
  private readonly sockets = new Set<Socket>();
  private readonly server: Server;

  private constructor(private ports: readonly number[]) {
    this.server = createServer((client) => this.forward(client, 0));
  }

  /**
   * @param ports ports of this machine, in the order in which they are tried
   * @param address where it listens
   */
  static async start(ports: readonly number[], address = '127.0.0.1'): Promise<PortForwarder> {
    const forwarder = new PortForwarder(ports);
    forwarder.server.listen(0, address);
    await once(forwarder.server, 'listening');
    return forwarder;
  }

  get url(): string {
    const { address, port } = this.server.address() as AddressInfo;
    return `http://${address}:${port}`;
  }

  /** Sends new connections to these ports, as a load balancer that takes out a server which is not ready. */
  use(ports: readonly number[]): void {
    this.ports = ports;
  }

  stop(): void {
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
  }

  private forward(client: Socket, index: number): void {
    const port = this.ports[index];
    if (port === undefined) return void client.destroy();
    const target = connect(port, '127.0.0.1');
    const refused = () => this.forward(client, index + 1);
    target.once('error', refused);
    target.once('connect', () => {
      target.off('error', refused);
      for (const [socket, other] of [
        [client, target],
        [target, client],
      ] as const) {
        this.sockets.add(socket);
        socket.on('error', () => other.destroy());
        socket.on('close', () => {
          this.sockets.delete(socket);
          other.destroy();
        });
        socket.pipe(other);
      }
    });
  }
}
