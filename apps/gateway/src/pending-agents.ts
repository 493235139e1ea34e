import type { Socket } from 'node:net';

/** Maximum number of agents that are not admitted yet; of more the oldest gives way, because an honest agent needs milliseconds. */
export const maxPending = 200;
/** Maximum number of these from one address. */
export const maxPendingOfAddress = 20;

/** The sockets of agents that are not admitted yet. A place lasts no longer than its socket, whatever becomes of the handshake. */
export class PendingAgents {
  /** The address block of each socket, oldest first. */
  private readonly blocks = new Map<Socket, string>();

  get size(): number {
    return this.blocks.size;
  }

  /** @returns false if the address has its share already */
  add(socket: Socket, block: string): boolean {
    let held = 0;
    for (const one of this.blocks.values()) if (one === block) held += 1;
    if (held >= maxPendingOfAddress) return false;
    const [oldest] = this.blocks.keys();
    if (this.blocks.size >= maxPending && oldest !== undefined) {
      this.release(oldest);
      oldest.destroy();
    }
    this.blocks.set(socket, block);
    socket.once('close', () => this.release(socket));
    return true;
  }

  release(socket: Socket): void {
    this.blocks.delete(socket);
  }
}
