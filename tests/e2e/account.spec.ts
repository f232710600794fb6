import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, type ElectronApplication } from '@playwright/test';
import { prices } from '../../electron/practice/credits.ts';
import { readLedger } from '../../electron/practice/state.ts';
import { filesHolding } from '../security/scan-for-secret.ts';
import { dragFiles } from './support/drag-files.ts';
import { readHeap } from './support/heap-scan.ts';
import { enterService, test } from './support/journey.ts';

const sample = fileURLToPath(new URL('../../assets/samples/interview-uz.mp3', import.meta.url));
const copied = (app: ElectronApplication): Promise<string> => app.evaluate(({ clipboard }) => clipboard.readText());

interface Delivery {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

async function startReceiver() {
  const deliveries: Delivery[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (part: string) => (body += part));
    request.on('end', () => {
      deliveries.push({ path: request.url ?? '', headers: request.headers, body });
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${String(port)}`, deliveries, stop: () => void server.close() };
}

test('with a token usage equals the service’s ledger, a webhook arrives signed, and a key is created, used and revoked', async ({
  journey,
}) => {
  // One start of the app for the whole section, with a service and a receiver beside it.
  test.slow();
  const { dataDir } = journey;
  const stateDir = join(dataDir, 'service');
  const receiver = await startReceiver();
  journey.atEnd(receiver.stop);
  const service = await journey.startService('--state-dir', stateDir, '--webhook-receiver', receiver.url);
  const { app, page } = await journey.start({ env: { OVOZ_API_KEY: service.key } });
  const statusWith = async (key: string): Promise<number> => {
    const answer = await fetch(`${service.url}/v1/stt/transcriptions`, { headers: { authorization: `Bearer ${key}` } });
    await answer.arrayBuffer();
    return answer.status;
  };
  await enterService(page, service);
  await dragFiles(page, [sample]);
  await expect(page.getByRole('row').getByText('Done')).toBeVisible({ timeout: 30_000 });

  // Without a token: this computer's own ledger, and an explanation of what is missing.
  await page.getByRole('link', { name: 'Account' }).click();
  await expect(page.getByText('Counted on this computer', { exact: false })).toBeVisible();
  await page.getByRole('button', { name: 'For developers' }).click();
  await page.getByRole('link', { name: 'API keys' }).click();
  await expect(page.getByText('An account token is needed to manage keys')).toBeVisible();
  await app.evaluate(({ clipboard }, text) => clipboard.writeText(text), service.accessToken);
  await page.getByRole('button', { name: 'Paste token' }).click();
  await expect(page.getByRole('row', { name: 'Practice mode' })).toBeVisible();

  await page.getByRole('link', { name: 'Usage' }).click();
  const ledger = readLedger(stateDir);
  expect(ledger).toHaveLength(1);
  const withSpeakers = ledger[0]?.fields['include_speakers'] === true;
  const spent = String(prices.sttPerMinute + (withSpeakers ? prices.sttSpeakersPerMinute : 0));
  await expect(page.locator('dl > div').filter({ hasText: 'Credits used' }).locator('dd').first()).toHaveText(spent);
  await expect(page.getByRole('row', { name: /^Transcribe/ })).toBeVisible();
  await page.getByRole('link', { name: 'Request log' }).click();
  await expect(page.getByRole('row', { name: /^POST \/v1\/stt 20/ })).toBeVisible();

  await page.getByRole('link', { name: 'Webhooks' }).click();
  await page.getByRole('button', { name: 'Add webhook' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('switch').last().press('Space');
  await dialog.getByRole('textbox', { name: 'Address' }).fill('https://hooks.example.uz/ovoz');
  await dialog.getByRole('button', { name: 'Create webhook' }).click();
  await page.getByRole('button', { name: 'Copy', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible();
  const signingSecret = await copied(app);
  expect(signingSecret).toMatch(/^whsec_/);
  await page.getByRole('button', { name: 'Send test' }).click();
  await expect(page.getByText('Delivered')).toBeVisible();
  const [delivery] = receiver.deliveries;
  const at = String(delivery?.headers['x-service-timestamp']);
  const hmac = createHmac('sha256', signingSecret)
    .update(`${at}.${delivery?.body ?? ''}`)
    .digest('hex');
  expect(delivery).toMatchObject({ path: '/ovoz', headers: { 'x-service-signature': `v1=${hmac}` } });
  await page.getByRole('link', { name: 'API keys' }).click();
  await page.getByRole('button', { name: 'New key' }).click();
  await dialog.getByRole('combobox', { name: 'Transcribe' }).selectOption('access');
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Archive');
  await dialog.getByRole('button', { name: 'Create key' }).click();
  await page.getByRole('button', { name: 'Copy', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible();
  const key = await copied(app);
  expect(await statusWith(key)).toBe(200);
  expect(await readHeap({ app, page })).not.toContain(key);
  await page.getByRole('button', { name: 'Use in this app' }).click();
  await expect(page.getByRole('row', { name: 'Archive' }).getByText('This app')).toBeVisible();
  await page.getByRole('button', { name: 'Revoke or delete' }).click();
  await page.getByRole('menuitem', { name: 'Revoke…' }).click();
  await page.getByRole('alertdialog', { name: 'Revoke “Archive”?' }).getByRole('button', { name: 'Revoke' }).click();
  await expect(page.getByRole('row', { name: 'Archive' }).getByText('Revoked')).toBeVisible();
  expect(await statusWith(key)).toBe(401);
  for (const secret of [key, signingSecret, service.accessToken]) {
    expect(filesHolding(dataDir, secret).filter((path) => !path.startsWith(stateDir))).toEqual([]);
  }
});
