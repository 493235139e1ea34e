/**
 * Lets a server listen on a free port of this machine.
 * @param {import('node:net').Server} server
 * @returns {Promise<string>} its address, such as `http://127.0.0.1:41234`
 */
export async function listenLocally(server) {
  await new Promise((done) => server.listen({ port: 0, host: '127.0.0.1' }, () => done(undefined)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return `http://127.0.0.1:${port}`;
}
