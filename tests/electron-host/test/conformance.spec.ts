import { expect, test } from '@playwright/test';
import { launchFixture, type Fixture } from './launch-fixture.ts';

let fixture: Fixture;
test.beforeAll(async () => {
  fixture = await launchFixture(['--flag']);
});
test.afterAll(async () => {
  await fixture.close();
});

test('smoke', async () => {
  const { page, app } = fixture;
  console.log(
    await page.evaluate(() => [window.fixture.add(1, 2), window.bridgeWasThere, window.inlineRan, location.href]),
  );
  console.log(await page.evaluate(() => window.fixture.sender()));
  console.log(await app.evaluate(() => globalThis.fixture.log));
  console.log(await app.evaluate(() => process.argv));
  expect(1).toBe(1);
});
