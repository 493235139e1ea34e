import { describe, expect, it } from '@jest/globals';
import { createRedmineProject, redmine } from '../index.js';

const server = redmine();
const reason = 'skipped' in server ? ` (skipped: ${server.skipped})` : '';

('skipped' in server ? describe.skip : describe)(`a real Redmine${reason}`, () => {
  it('contains the project of a test, in which issues can be assigned, until it is dropped', async () => {
    if ('skipped' in server) throw new Error(server.skipped);
    const { url, apiKey } = server;
    const { identifier, drop } = await createRedmineProject(server);
    const headers = { 'x-redmine-api-key': apiKey, 'content-type': 'application/json' };
    const issue = { project_id: identifier, subject: 'Disk full', assigned_to_id: 'me' };
    const made = await fetch(`${url}/issues.json`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ issue }),
    });
    expect([made.status, await made.json()]).toEqual([
      201,
      { issue: expect.objectContaining({ subject: 'Disk full', assigned_to: expect.anything() }) },
    ]);
    await drop();
    const gone = await fetch(`${url}/projects/${identifier}.json`, { headers });
    expect(gone.status).toBe(404);
  });
});
