import { Coins } from 'lucide-react';
import { useUsedToday } from '../bridge/use-credits.ts';
import { useFormats, useText } from '../lib/text.ts';
import { Chip } from '../ui/chip.tsx';
import { Popover } from '../ui/popover.tsx';
import { PressButton } from '../ui/press-button.tsx';
import css from './title-bar.module.css';

/**
 * Credits that this app used today, as far as the service reported them: there is no balance, so none is shown. Hidden
 * while nothing was used.
 */
export function CreditsChip() {
  const t = useText();
  const formats = useFormats();
  const used = useUsedToday();
  if (used === null || used.actionCount === 0) return null;
  const { credits, actionCount, unreportedCount } = used;
  const amount = formats.number(Math.ceil(Number(credits) * 10) / 10);
  const isUnreported = unreportedCount === actionCount;
  const text = isUnreported
    ? t('shell.credits.unreported')
    : t(unreportedCount > 0 ? 'shell.credits.atLeast' : 'shell.credits.today', { amount });
  return (
    <div className={css['credits']}>
      <Popover
        label={t('shell.credits.title')}
        trigger={
          <PressButton className={css['chip']} label={text}>
            <Chip tone="line" icon={Coins}>
              <span className={css['wide']}>{text}</span>
              <span className={css['narrow']}>{isUnreported ? '?' : unreportedCount > 0 ? `≥ ${amount}` : amount}</span>
            </Chip>
          </PressButton>
        }
      >
        <p className={css['explained']}>
          <b>{t('shell.credits.title')}.</b> {t('shell.credits.text')}
        </p>
        <p className={css['explained']}>{t('shell.credits.paid', { count: actionCount })}</p>
        {unreportedCount > 0 && (
          <p className={css['explained']}>{t('shell.credits.unreportedOf', { count: unreportedCount })}</p>
        )}
      </Popover>
    </div>
  );
}
