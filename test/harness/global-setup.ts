import { TestServices } from './services/services.js';

let services: TestServices | undefined;

/** Jest's globalSetup. */
export default async function setUp(): Promise<void> {
  services = new TestServices();
  await services.listen();
}

/** Jest's globalTeardown. */
export async function tearDown(): Promise<void> {
  await services?.stop();
}
