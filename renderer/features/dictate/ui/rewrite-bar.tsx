import { useQuery } from '@tanstack/react-query';
import { Mail, RotateCw } from 'lucide-react';
import { isModelStyle, toHundredths, type ModelStyle } from '../../../../shared/domain/dictation/clean-up.ts';
import {
  longestRewritten,
  saidIn,
  type Stretch,
  type WrittenRewriting,
} from '../../../../shared/domain/dictation/rewriting.ts';
import type { WrittenPhrase } from '../../../../shared/domain/dictation/written-phrases.ts';
import { modeOf } from '../../../../shared/domain/modes.ts';
import { useConnection, useSettings } from '../../../bridge/live-state.tsx';
import { valueOrThrow } from '../../../bridge/request-error.ts';
import type { RequestInput } from '../../../bridge/types.ts';
import { useStudio } from '../../../bridge/studio-context.tsx';
import { useFailureText } from '../../../lib/failure-text.ts';
import { useFormats, useText } from '../../../lib/text.ts';
import { Button } from '../../../ui/button.tsx';
import { Segmented } from '../../../ui/segmented.tsx';
import { Spinner } from '../../../ui/spinner.tsx';
import { useToast } from '../../../ui/toast.tsx';
import css from '../dictate.module.css';

interface RewriteBarProps {
  readonly takeId: string | null;
  readonly phrases: readonly WrittenPhrase[];
  readonly rewritings: readonly WrittenRewriting[];
  readonly selected: Stretch | null;
}

/** Asks a model for the whole in one style, or for what is selected; both texts stay one press apart. */
export function RewriteBar({ takeId, phrases, rewritings, selected }: RewriteBarProps) {
  const t = useText();
  const studio = useStudio();
  const { mode } = useConnection();
  const { dictationStyle } = useSettings();
  const style = isModelStyle(dictationStyle) ? dictationStyle : 'email';
  const stretch = selected ?? { from: 1, to: phrases.at(-1)?.id ?? 1 };
  const said = saidIn(phrases, stretch);
  const price = useRewritingPrice(style, said.length);
  const rewrite = useRewrite();
  const arriving = rewritings.find(({ isArriving }) => isArriving);
  const failed = rewritings.find(({ written, isArriving }) => written === null && !isArriving);
  const written = rewritings.filter((one) => one.written !== null);
  const shown = written.findLast(({ isShown }) => isShown);
  const isWritten = written.some((one) => one.style === style && one.said === said && one.from === stretch.from);
  if (takeId === null || said === '' || modeOf(mode).origin !== 'service') return null;
  if (arriving !== undefined)
    return (
      <output className="row gap-8 thin">
        <Spinner />
        <span className={css['hint']}>
          {t('dictation.cleanUp.arriving', { style: t(`dictation.cleanUp.styles.${arriving.style}`) })}
        </span>
      </output>
    );
  // The same words may be charged again, because the answer to the first try may only be late.
  const sendsAgain = failed?.style === style && failed.said === said && failed.fault !== 'limit';
  const isTooLong = said.length > longestRewritten;
  return (
    <span className="row gap-8 thin">
      {failed?.fault != null && <span className={css['hint']}>{t(`dictation.cleanUp.faults.${failed.fault}`)}</span>}
      {written.length > 0 && (
        <Versions
          written={written}
          shown={shown ?? null}
          onShow={(id) => void studio.request('dictation.showRewriting', { takeId, rewritingId: id })}
        />
      )}
      {!isWritten && (
        <Button
          icon={sendsAgain ? RotateCw : Mail}
          isDisabled={isTooLong}
          onPress={() => rewrite({ takeId, style, ...stretch, sendsAgain })}
        >
          {sendsAgain
            ? t('dictation.cleanUp.again', { style: t(`dictation.cleanUp.styles.${style}`) })
            : t(`dictation.rewrite.${selected === null ? 'all' : 'selected'}.${style}`)}
          <span>{isTooLong ? ` · ${t('dictation.rewrite.tooLong')}` : price}</span>
        </Button>
      )}
    </span>
  );
}

interface VersionsProps {
  readonly written: readonly WrittenRewriting[];
  readonly shown: WrittenRewriting | null;
  readonly onShow: (id: string | null) => void;
}

function Versions({ written, shown, onShow }: VersionsProps) {
  const t = useText();
  const formats = useFormats();
  const { mode } = useConnection();
  // Of several of the same kind, the newest is the one to choose.
  const newest = written.filter(
    (one, at) => one === shown || !written.slice(at + 1).some((later) => later.style === one.style && later !== shown),
  );
  const latest = shown ?? newest.at(-1) ?? null;
  return (
    <>
      {latest?.fault === 'different' && <span className={css['hint']}>{t('dictation.rewrite.different')}</span>}
      {latest?.credits != null && !modeOf(mode).isFree && (
        <span className={css['hint']}>
          {t('dictation.cleanUp.cost', {
            count: toHundredths(latest.credits),
            amount: formats.credits(latest.credits),
          })}
        </span>
      )}
      <Segmented
        size="sm"
        label={t('dictation.rewrite.version')}
        value={shown?.id ?? ''}
        options={[
          { value: '', text: t('dictation.cleanUp.styles.verbatim') },
          ...newest.map(({ id, style }) => ({ value: id, text: t(`dictation.cleanUp.styles.${style}`) })),
        ]}
        onChange={(id) => onShow(id === '' ? null : id)}
      />
    </>
  );
}

function useRewrite() {
  const studio = useStudio();
  const showToast = useToast();
  const failureWords = useFailureText();
  return (wanted: RequestInput<'dictation.rewrite'>) =>
    void studio.request('dictation.rewrite', wanted).then((done) => {
      if (!done.ok && done.error.code !== 'cancelled') showToast({ text: failureWords(done.error).title });
    });
}

/** So coarse that the price of a text that grows is rarely asked for. */
const step = 250;

/** " · about 0.4 credits", or that it is free; empty until it is known. */
function useRewritingPrice(style: ModelStyle, length: number): string {
  const t = useText();
  const formats = useFormats();
  const studio = useStudio();
  const { mode } = useConnection();
  const characters = Math.min(longestRewritten, Math.ceil(length / step) * step);
  const { data } = useQuery({
    queryKey: ['cost of clean-up', style, characters, mode],
    queryFn: () => valueOrThrow(studio.request('dictation.cleanUpCost', { style, characters })),
    enabled: characters > 0 && !modeOf(mode).isFree,
    staleTime: 5 * 60_000,
    retry: false,
  });
  if (modeOf(mode).isFree) return ` · ${t('dictation.rewrite.free')}`;
  if (data === undefined) return '';
  const { credits, usual } = data;
  if (credits === null) return ` · ${t('dictation.rewrite.unknown')}`;
  const amount = usual ?? credits;
  const price = { count: toHundredths(amount), amount: formats.creditsAtMost(amount) };
  return ` · ${t(usual === null ? 'dictation.rewrite.most' : 'dictation.rewrite.about', price)}`;
}
