import { logMethods, logPeriods } from '../../shared/domain/account/account-views.ts';
import { knownPermissions, type KeyInput } from '../../shared/domain/account/key-input.ts';
import { usagePeriods } from '../../shared/domain/ledger/usage-by-day.ts';
import { wrong, type KeysCommand, type WebhooksCommand, type Wrong } from './command.ts';
import {
  flag,
  forService,
  isOn,
  refusePositionals,
  stringOf,
  stringsOf,
  textOption,
  textsOption,
  withDefault,
} from './option-values.ts';
import type { Reader, Values } from './option-values.ts';

/** The options of each command about the account and its webhooks. */
export const accountReaders = {
  usage: {
    options: { practice: flag, days: withDefault('30'), account: flag },
    read(values, positionals) {
      const days = stringOf(values['days']);
      if (!/^[1-9]\d{0,3}$/.test(days)) return wrong('badDays', days);
      const period = usagePeriods.find((known) => String(known) === days);
      const unexpected = refusePositionals(positionals);
      if (unexpected !== null) return unexpected;
      if (!isOn(values['account'])) return { kind: 'usage', days: Number(days), account: null, ...forService(values) };
      if (period === undefined) return wrong('badAccountDays', days);
      return { kind: 'usage', account: period, ...forService(values) };
    },
  },
  requests: {
    options: {
      practice: flag,
      days: withDefault('7'),
      status: textOption,
      method: textOption,
      route: textOption,
      key: textOption,
      failed: flag,
      search: textOption,
      limit: withDefault('20'),
    },
    read(values, positionals) {
      const days = logPeriods.find((known) => String(known) === values['days']);
      if (days === undefined) return wrong('badLogDays', stringOf(values['days']));
      const limit = stringOf(values['limit']);
      if (!/^[1-9]\d{0,2}$/.test(limit)) return wrong('badLimit', limit);
      const status = stringOf(values['status']);
      if (!/^(?:[1-5]\d\d)?$/.test(status)) return wrong('badStatus', status);
      const typed = stringOf(values['method']).toUpperCase();
      const method = logMethods.find((known) => known === typed) ?? null;
      if (typed !== '' && method === null) return wrong('badMethod', typed);
      const filter = {
        days,
        status: status === '' ? null : Number(status),
        method,
        route: stringOf(values['route']) || null,
        keyId: stringOf(values['key']) || null,
        isFailedOnly: isOn(values['failed']),
        hidesReads: false,
        text: stringOf(values['search']),
      };
      return (
        refusePositionals(positionals) ?? { kind: 'requests', filter, limit: Number(limit), ...forService(values) }
      );
    },
  },
  keys: {
    options: {
      practice: flag,
      allow: textsOption,
      'allow-all': flag,
      expires: textOption,
      credits: textOption,
      ip: textsOption,
    },
    read(values, [action = 'list', subject, more]) {
      if (!isKeyAction(action)) return wrong('badKeyAction', action);
      if (more !== undefined) return wrong('unexpected', more);
      if (action === 'list' ? subject !== undefined : subject === undefined)
        return subject === undefined
          ? wrong(action === 'create' ? 'noKeyName' : 'noKeyId')
          : wrong('unexpected', subject);
      const idle = action === 'create' ? null : given(values, ['allow', 'allow-all', 'expires', 'credits', 'ip']);
      if (idle !== null) return idle;
      const wanted = action === 'create' ? readKeyInput(values) : {};
      if ('kind' in wanted) return wanted;
      return { kind: 'keys', action, subject: subject ?? '', wanted, ...forService(values) };
    },
  },
  webhooks: {
    options: { practice: flag, event: textsOption, url: textOption },
    read(values, [action = 'list', subject, deliveryId, more]) {
      if (!isWebhookAction(action)) return wrong('badWebhookAction', action);
      const unexpected =
        more ?? (action === 'retry' ? undefined : deliveryId) ?? (action === 'list' ? subject : undefined);
      if (unexpected !== undefined) return wrong('unexpected', unexpected);
      if (action !== 'list' && subject === undefined)
        return wrong(action === 'create' ? 'noWebhookAddress' : 'noWebhookId');
      if (action === 'retry' && deliveryId === undefined) return wrong('noDeliveryId');
      const isNew = action === 'create';
      const idle = action === 'change' ? null : given(values, isNew ? ['url'] : ['url', 'event']);
      if (idle !== null) return idle;
      const eventTypes = stringsOf(values['event']);
      const url = values['url'] === undefined ? null : stringOf(values['url']);
      if (action === 'change' && url === null && eventTypes.length === 0) return wrong('nothingToChange');
      const at = { action, subject: subject ?? '', deliveryId: deliveryId ?? '' };
      return { kind: 'webhooks', ...at, url, eventTypes, ...forService(values) };
    },
  },
} as const satisfies Readonly<Record<'usage' | 'requests' | 'keys' | 'webhooks', Reader>>;

const keyActions: readonly KeysCommand['action'][] = ['list', 'create', 'disable', 'enable', 'revoke', 'delete'];
const isKeyAction = (name: string): name is KeysCommand['action'] => keyActions.some((one) => one === name);
const webhookActions: readonly WebhooksCommand['action'][] = [
  'list',
  'create',
  'change',
  'disable',
  'enable',
  'delete',
  'rotate',
  'test',
  'deliveries',
  'retry',
];
const isWebhookAction = (name: string): name is WebhooksCommand['action'] => webhookActions.some((one) => one === name);

/** The first of these options that was given, to an action that would ignore it. */
function given(values: Values, names: readonly string[]): Wrong | null {
  const found = names.find(
    (name) => stringOf(values[name]) !== '' || isOn(values[name]) || stringsOf(values[name]).length > 0,
  );
  return found === undefined ? null : wrong('unexpected', `--${found}`);
}

/** False also for a day that its month does not have: a date would count on into the next month. */
function isDay(text: string): boolean {
  const atMs = Date.parse(`${text}T00:00:00Z`);
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && atMs >= 0 && new Date(atMs).toISOString().startsWith(text);
}

/** The permissions and the expiry of a new key; the service validates the rest. */
function readKeyInput(values: Values): KeyInput | Wrong {
  const permissions: Record<string, string> = {};
  for (const typed of stringsOf(values['allow'])) {
    const [id = '', level = ''] = typed.split('=');
    const known = knownPermissions.find((one) => one.id === id);
    if (known === undefined || !known.levels.includes(level)) return wrong('badPermission', typed);
    permissions[id] = level;
  }
  const isRestricted = !isOn(values['allow-all']);
  if (isRestricted === (Object.keys(permissions).length === 0)) return wrong('noPermission');
  const expires = stringOf(values['expires']);
  if (expires !== '' && !isDay(expires)) return wrong('badExpiry', expires);
  const credits = stringOf(values['credits']);
  if (!/^\d{0,15}$/.test(credits)) return wrong('badCredits', credits);
  const allowedIps = stringsOf(values['ip']);
  return {
    isRestricted,
    ...(isRestricted ? { permissions } : {}),
    ...(expires === '' ? {} : { expiresAt: `${expires}T23:59:59Z` }),
    ...(credits === '' ? {} : { creditLimit: Number(credits) }),
    ...(allowedIps.length === 0 ? {} : { allowedIps }),
  };
}
