import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { CircleAlert, TextSearch } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { coreOf, matchWords } from '../../../../shared/domain/transcript/realign-words.ts';
import { longestListenMs } from '../../../../shared/domain/transcript/heard-again.ts';
import type { Word } from '../../../../shared/domain/transcript/transcript.ts';
import { modeOf } from '../../../../shared/domain/modes.ts';
import { readSpan } from '../../../audio/decoding/read-span.ts';
import type { ComparePlayer } from '../../../audio/compare/compare-player.ts';
import { useSettings } from '../../../bridge/live-state.tsx';
import { failureOf, valueOrThrow } from '../../../bridge/request-error.ts';
import { useStudio } from '../../../bridge/studio-context.tsx';
import type { IsolatedAudio } from '../../../bridge/types.ts';
import { cx } from '../../../lib/class-names.ts';
import { useFailureWords } from '../../../lib/failure-words.ts';
import { useText } from '../../../lib/text.ts';
import { Banner } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import css from './excerpt-texts.module.css';

type Texts = Readonly<Record<'original' | 'isolated', readonly Word[]>>;

/**
 * The transcripts of an excerpt before and after isolation show whether isolating the whole recording will help
 * recognition.
 */
export function ExcerptTexts({
  audio,
  urls,
  player,
}: {
  readonly audio: IsolatedAudio;
  readonly urls: { readonly original: string; readonly isolated: string };
  readonly player: ComparePlayer;
}) {
  const t = useText();
  const studio = useStudio();
  const queries = useQueryClient();
  const words = useFailureWords();
  const { speechLanguage, mode } = useSettings();
  const asked = { audioId: audio.audioId, language: speechLanguage };
  const keyOf = ({ audioId, language }: typeof asked) => ['isolation', 'texts', audioId, language];
  const kept = useQuery({
    queryKey: keyOf(asked),
    queryFn: async () => (await valueOrThrow(studio.request('isolation.compareTexts', { ...asked, pcm: null }))).texts,
    staleTime: Infinity,
    retry: false,
  });
  // Loaded before the click, because the user activation that permits a charge expires within seconds.
  const pcm = useQuery({
    queryKey: ['isolation', 'pcm', asked.audioId],
    queryFn: async () => {
      const endMs = Math.min(longestListenMs, audio.durationMs ?? longestListenMs);
      return {
        original: await readSpan(urls.original, 0, endMs),
        isolated: await readSpan(urls.isolated, 0, endMs),
      };
    },
    enabled: kept.data === null,
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
  });
  const listen = useMutation({
    // The language may be changed before the answer, which belongs to the one that was asked for.
    mutationFn: async (wanted: { readonly of: typeof asked; readonly pcm: NonNullable<typeof pcm.data> }) =>
      (await valueOrThrow(studio.request('isolation.compareTexts', { ...wanted.of, pcm: wanted.pcm }))).texts,
    onSuccess: (texts, { of }) => {
      if (texts !== null) queries.setQueryData(keyOf(of), texts);
    },
  });
  const failure = failureOf(listen.error) ?? failureOf(kept.error);
  const isUnreadable = pcm.isError;
  const texts = kept.data ?? null;
  const [isHidden, setIsHidden] = useState(false);
  const section = useRef<HTMLElement>(null);
  useEffect(() => {
    if (listen.isSuccess) section.current?.scrollIntoView({ block: 'nearest' });
  }, [listen.isSuccess]);
  return (
    <section ref={section} className={css['texts']} aria-label={t('isolate.texts.title')}>
      <div className={css['bar']}>
        <h3 className={css['title']}>{t('isolate.texts.title')}</h3>
        {texts === null ? (
          <>
            <Button
              size="sm"
              icon={TextSearch}
              isLoading={listen.isPending}
              isDisabled={pcm.data === undefined}
              onPress={() => {
                if (pcm.data !== undefined) listen.mutate({ of: asked, pcm: pcm.data });
              }}
            >
              {t('isolate.texts.compare')}
            </Button>
            <p className={css['explain']}>
              {t('isolate.texts.explain', { language: t(`common.languageNames.${speechLanguage}`) })}{' '}
              {t(modeOf(mode).isFree ? 'isolate.next.free' : 'isolate.texts.cost')}
            </p>
          </>
        ) : (
          <>
            <p className={css['explain']}>
              {!isHidden && t(isSame(texts) ? 'isolate.texts.same' : 'isolate.texts.hint')}
            </p>
            <Button
              size="sm"
              variant="ghost"
              onPress={() => {
                setIsHidden(!isHidden);
              }}
            >
              {t(isHidden ? 'isolate.texts.show' : 'isolate.texts.hide')}
            </Button>
          </>
        )}
      </div>
      {(failure !== null || isUnreadable) && (
        <Banner
          role="alert"
          tone="warn"
          icon={CircleAlert}
          title={failure === null ? t('isolate.compare.notPlayable') : words(failure).title}
        >
          {failure === null ? t('isolate.compare.notPlayableText') : words(failure).textAfterTitle}
        </Banner>
      )}
      {texts !== null && !isHidden && <Both texts={texts} language={speechLanguage} player={player} />}
    </section>
  );
}

const coresOf = (words: readonly Word[]) => words.map(({ text }) => coreOf(text));
const isSame = ({ original, isolated }: Texts): boolean => coresOf(original).join(' ') === coresOf(isolated).join(' ');

function Both({
  texts,
  language,
  player,
}: {
  readonly texts: Texts;
  readonly language: string;
  readonly player: ComparePlayer;
}) {
  const t = useText();
  const same = matchWords(coresOf(texts.original), coresOf(texts.isolated));
  const sides = [
    { track: 'original', words: texts.original, kept: new Set(same.map(([place]) => place)) },
    { track: 'isolated', words: texts.isolated, kept: new Set(same.map(([, place]) => place)) },
  ] as const;
  return (
    <div className={css['sides']}>
      {sides.map(({ track, words, kept }) => (
        <div key={track} className={css['side']}>
          <p className={css['head']}>
            <b>{t(`isolate.compare.${track}`)}</b>
            <span>
              {t('isolate.texts.words', { count: words.length })}
              {', '}
              {t('isolate.texts.different', { count: words.length - kept.size })}
            </span>
          </p>
          {words.length === 0 ? (
            <p className={css['hint']}>{t('isolate.texts.nothing')}</p>
          ) : (
            <p className={css['text']} lang={language}>
              {words.map((word, at) => (
                // oxlint-disable-next-line react/no-array-index-key -- words of a text that does not change
                <span key={at}>
                  {kept.has(at) ? (
                    word.text
                  ) : (
                    <button
                      type="button"
                      className={cx(css['different'])}
                      title={t('isolate.texts.play')}
                      onClick={() => {
                        player.seek(Math.max(0, word.startMs - 500));
                        if (!player.getState().isPlaying) player.toggle();
                      }}
                    >
                      {word.text}
                    </button>
                  )}{' '}
                </span>
              ))}
            </p>
          )}
        </div>
      ))}
    </div>
  );
}
