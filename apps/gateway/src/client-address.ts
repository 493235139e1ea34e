import type { IncomingMessage } from 'node:http';
import { Injectable, Logger } from '@nestjs/common';
import { GatewaySettings } from './gateway-settings.js';

const log = new Logger('gateway');
const maxAddressLength = 64;

/** Finds the address of a client behind the configured number of proxies. */
@Injectable()
export class ClientAddresses {
  private hasWarned = false;

  constructor(private readonly settings: GatewaySettings) {}

  of({ headers, socket }: IncomingMessage): string {
    const { proxyHops } = this.settings;
    const forwarded = headers['x-forwarded-for'];
    const peer = socket.remoteAddress ?? '';
    if (forwarded === undefined) return peer;
    if (proxyHops === 0) {
      this.warn(peer);
      return peer;
    }
    const hops = [forwarded].flat().join(',').split(',');
    return hops.at(-proxyHops)?.trim().slice(0, maxAddressLength) || peer;
  }

  private warn(peer: string): void {
    if (this.hasWarned) return;
    this.hasWarned = true;
    log.warn({
      message:
        'requests have X-Forwarded-For but PROXY_HOPS is 0: all clients of a proxy count as one address; set PROXY_HOPS to the number of proxies',
      remote_addr: peer,
    });
  }
}
