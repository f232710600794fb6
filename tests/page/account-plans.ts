import type { KeyView } from '../../shared/domain/account/account-views.ts';
import { planStudio, type StudioPlan } from '../support/studio-plan.ts';

const someKey: KeyView = {
  id: 'key_1',
  name: 'Newsroom laptop',
  maskedKey: 'key_••••pJ1u',
  prefix: 'key_',
  permissions: {
    speech_to_text: 'access',
    audio_isolation: 'access',
    text_to_speech: 'read',
    voices: 'read',
    stt_realtime: 'access',
  },
  scopes: [],
  enabled: true,
  createdAt: '2026-11-20T09:00:00Z',
  lastUsedAt: null,
  expiresAt: null,
  revokedAt: null,
  leakedAt: null,
  isRestricted: true,
  creditLimit: 1000,
  allowedIps: ['203.0.113.0/24'],
  disablesIfLeaked: true,
};
const listed = (change: Partial<KeyView> & Pick<KeyView, 'id' | 'name' | 'maskedKey'>): KeyView => ({
  ...someKey,
  isRestricted: null,
  creditLimit: null,
  allowedIps: null,
  disablesIfLeaked: null,
  ...change,
});
const keys: readonly KeyView[] = [
  someKey,
  listed({ id: 'key_2', name: 'Studiya', maskedKey: 'key_••••3kQ9', createdAt: '2026-09-02T09:00:00Z' }),
  listed({
    id: 'key_5',
    name: 'Old phone',
    maskedKey: 'key_••••mm4d',
    revokedAt: '2026-01-12T09:00:00Z',
    permissions: {},
  }),
];

const token = { present: true, maskedSuffix: 'qV2w', store: 'keychain', keychain: 'present' } as const;
export const known = {
  'account.keys': { keys, ownSuffix: '3kQ9' },
  'account.permissions': {
    permissions: [
      { id: 'speech_to_text', name: null, levels: ['none', 'read', 'write', 'access'], isImplemented: true },
      { id: 'stt_realtime', name: null, levels: ['none', 'access'], isImplemented: true },
      { id: 'llm', name: null, levels: ['none', 'read', 'write', 'access'], isImplemented: true },
      { id: 'webhooks', name: null, levels: ['access'], isImplemented: true },
    ],
  },
  'account.createKey': { key: someKey, maskedSuffix: 'pJ1u' },
} satisfies StudioPlan['answers'];
export const signedIn = planStudio({ connection: { accountToken: token }, answers: known });
