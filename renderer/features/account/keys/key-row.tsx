import { keyStateOf, type KeyState, type KeyView } from '../../../../shared/domain/account/account-views.ts';
import { cx } from '../../../lib/class-names.ts';
import { useFormats, useText } from '../../../lib/text.ts';
import { Chip, type ChipProps } from '../../../ui/chip.tsx';
import css from '../account.module.css';
import own from './keys.module.css';
import { usePermissionWords } from './permission-words.ts';

const tones = {
  active: 'ok',
  disabled: 'neutral',
  expired: 'neutral',
  revoked: 'bad',
  leaked: 'bad',
} as const satisfies Record<KeyState, ChipProps['tone']>;

export interface KeyRowProps {
  /** `key` itself is React's. */
  readonly key_: KeyView;
  readonly isOn: boolean;
  /** Whether this app works with it. */
  readonly isOwn: boolean;
  readonly nowMs: number;
}

const shownAtOnce = 2;

export function KeyRow({ key_: key, isOn, isOwn, nowMs }: KeyRowProps) {
  const t = useText();
  const formats = useFormats();
  const words = usePermissionWords();
  const granted = Object.entries(key.permissions).filter(([, level]) => level !== 'none');
  return (
    <div className={css['cells']} data-on={isOn || undefined}>
      <span className={own['name']}>
        <b>{key.name ?? key.id}</b>
        <span className={css['code']}>{key.maskedKey ?? ''}</span>
      </span>
      <span className={own['chips']}>
        {isOwn && <Chip tone="accent">{t('account.keys.thisApp')}</Chip>}
        {key.isRestricted === false ? (
          <Chip>{t('account.keys.allFeatures')}</Chip>
        ) : granted.length === 0 ? (
          <span className={css['muted']}>
            {t(key.isRestricted === true ? 'account.keys.nothing' : 'account.keys.untold')}
          </span>
        ) : (
          <>
            {granted.slice(0, shownAtOnce).map(([id]) => (
              <Chip key={id}>{words.name(id)}</Chip>
            ))}
            {granted.length > shownAtOnce && <Chip>{`+${String(granted.length - shownAtOnce)}`}</Chip>}
          </>
        )}
      </span>
      <span className={cx(css['wide'], css['muted'])}>
        {key.createdAt === null ? '' : formats.date(Date.parse(key.createdAt))}
      </span>
      <span>
        <KeyStateChip key_={key} nowMs={nowMs} />
      </span>
    </div>
  );
}

export function KeyStateChip({ key_: key, nowMs }: Pick<KeyRowProps, 'key_' | 'nowMs'>) {
  const t = useText();
  const state = keyStateOf(key, nowMs);
  return <Chip tone={tones[state]}>{t(`account.keys.states.${state}`)}</Chip>;
}
