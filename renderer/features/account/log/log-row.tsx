import type { LogEntryView } from '../../../../shared/domain/account/account-views.ts';
import { cx } from '../../../lib/class-names.ts';
import { useFormats, useText } from '../../../lib/text.ts';
import { Chip } from '../../../ui/chip.tsx';
import css from '../account.module.css';
import own from './log.module.css';

export function useLatency(): (ms: number) => string {
  const t = useText();
  const formats = useFormats();
  return (ms) =>
    ms < 1000
      ? t('account.log.ms', { value: formats.number(ms) })
      : t('account.seconds', { value: formats.number(ms / 1000) });
}

/** A moment of the service, formatted for lists: many fall into one minute. */
export function useMoment(): (at: string | null) => string {
  const formats = useFormats();
  return (at) => (at === null ? '–' : formats.moment(Date.parse(at), Date.now(), true));
}

export function StatusChip({ status }: { readonly status: number | null }) {
  if (status === null) return null;
  return <Chip tone={status >= 500 ? 'bad' : status >= 400 ? 'warn' : 'ok'}>{status}</Chip>;
}

interface LogRowProps {
  readonly entry: LogEntryView;
  readonly isOn: boolean;
  readonly keyName: string | null;
}

export function LogRow({ entry, isOn, keyName }: LogRowProps) {
  const formats = useFormats();
  const latency = useLatency();
  const moment = useMoment();
  const { at, method, route, status, latencyMs, usage, keyPrefix } = entry;
  return (
    <div className={css['cells']} data-on={isOn || undefined}>
      <span className={cx('digits', 'muted', css['mid'], own['when'])}>{moment(at)}</span>
      <span className={cx(css['code'], own['route'])} title={route ?? ''}>
        <b>{method}</b> {route}
      </span>
      <span>
        <StatusChip status={status} />
      </span>
      <span className={cx('digits', css['end'], css['mid'])}>{latencyMs === null ? '' : latency(latencyMs)}</span>
      <span className={cx('digits', css['end'], css['mid'], own['cost'])}>
        {usage === null || usage.credits === null ? '' : formats.credits(usage.credits)}
      </span>
      <span className={cx('wide', 'muted')}>{keyName ?? keyPrefix ?? ''}</span>
    </div>
  );
}
