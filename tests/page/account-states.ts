import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import { planStudio } from '../support/studio-plan.ts';
import type { ScreenState } from './screens.ts';
import { here, known, signedIn, token, webhooks } from './account-plans.ts';

/** The Account section: signed in and not, with each of its pages and dialogs. */
export const accountStates: readonly ScreenState[] = [
  {
    name: 'account, usage of the whole account',
    isSeenInEveryRun: true,
    plan: signedIn,
    location: '/account',
    proof: (page) => page.getByRole('table').first(),
  },
  {
    name: 'account, usage of this computer without a token',
    plan: planStudio({ answers: { 'usage.days': here } }),
    location: '/account',
    proof: (page) => page.getByRole('table').first(),
  },
  {
    name: 'account, a sign-in that has ended',
    plan: planStudio({
      connection: { accountToken: token },
      failures: { 'usage.days': makeFailure('E-033', { code: 'session_expired', status: 401 }) },
    }),
    location: '/account',
    proof: (page) => page.getByRole('alert'),
  },
  {
    name: 'account, keys without a token',
    plan: planStudio(),
    location: '/account/keys',
    proof: (page) => page.locator('main h2').last(),
  },
  {
    name: 'account, a key that was just made',
    plan: signedIn,
    location: '/account/keys',
    reach: async (page) => {
      await page.getByRole('button', { name: 'New key' }).click();
      await page.getByRole('dialog').getByRole('textbox').first().fill('Newsroom laptop');
      await page.getByRole('dialog').getByRole('button').last().click();
      await page.getByText('••••pJ1u', { exact: false }).first().waitFor();
    },
    proof: (page) => page.getByRole('row').nth(4),
  },
  {
    name: 'account, a new key with an address that is none',
    plan: signedIn,
    location: '/account/keys',
    reach: async (page) => {
      await page.getByRole('button', { name: 'New key' }).click();
      await page.getByRole('dialog').locator('textarea').fill('203.0.113.0/99');
      await page.getByRole('dialog').getByRole('button').last().click();
      await page.getByRole('dialog').locator('[aria-invalid="true"]').first().waitFor();
    },
    proof: (page) => page.getByRole('dialog'),
  },
  {
    name: 'account, the request log',
    isSeenInEveryRun: true,
    plan: signedIn,
    location: '/account/log',
    proof: (page) => page.getByRole('row').nth(5),
  },
  {
    name: 'account, webhooks with their deliveries',
    isSeenInEveryRun: true,
    plan: signedIn,
    location: '/account/webhooks',
    proof: (page) => page.getByRole('row').nth(6),
  },
  {
    name: 'account, a webhook that was changed elsewhere',
    plan: planStudio({
      connection: { accountToken: token },
      answers: {
        ...known,
        'webhooks.update': {
          tag: 'conflict',
          current: { ...webhooks[0]!, url: 'https://other.example.uz/in', revision: 4 },
        },
      },
    }),
    location: '/account/webhooks',
    reach: async (page) => {
      await page.getByRole('button', { name: 'Change…' }).click();
      await page.getByRole('dialog').getByRole('button').last().click();
      await page.getByRole('alert').waitFor();
    },
    proof: (page) => page.getByRole('dialog').getByRole('alert'),
  },
  {
    name: 'account, a delivery whose signature does not fit',
    plan: signedIn,
    location: '/account/webhooks',
    reach: async (page) => {
      await page.getByRole('button', { name: 'Check a signature' }).click();
      await page.getByRole('dialog').locator('textarea').first().fill('1');
      await page.getByRole('dialog').getByRole('button').last().click();
      await page.getByRole('alert').waitFor();
    },
    proof: (page) => page.getByRole('dialog').getByRole('alert'),
  },
];
