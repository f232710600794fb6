import { ArrowDown, ArrowUp, ChevronLeft, CircleAlert, Equal, GitCompareArrows, History, Undo2 } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { compareCuts } from '../../../../../shared/domain/transcript/compare.ts';
import type { Transcript } from '../../../../../shared/domain/transcript/transcript.ts';
import { useFailureWords } from '../../../../lib/failure-words.ts';
import { useText } from '../../../../lib/text.ts';
import { Banner } from '../../../../ui/banner.tsx';
import { Button } from '../../../../ui/button.tsx';
import { Chip } from '../../../../ui/chip.tsx';
import { EmptyState } from '../../../../ui/empty-state.tsx';
import { IconButton } from '../../../../ui/icon-button.tsx';
import { PanelBar } from '../../../../ui/panel.tsx';
import { Spinner } from '../../../../ui/spinner.tsx';
import { useEditor } from '../../editor-context.ts';
import { CompareTable } from './compare-table.tsx';
import { useVersions } from './use-versions.ts';
import { useVersionWords, VersionList } from './version-list.tsx';
import css from './versions-view.module.css';

/** Earlier states of the text: one of them next to the current text, and all of them in a list. */
export function VersionsView() {
  const t = useText();
  const { store, detail, view } = useEditor();
  const versions = useVersions();
  const words = useVersionWords();
  const [wanted, setCurrent] = useState(0);
  const [onlyChanges, setOnlyChanges] = useState(true);
  const { chosen, before, now, rows, isDifferent, conflict } = versions;
  const count = rows.filter(({ isSame }) => !isSame).length;
  const current = Math.min(wanted, count - 1);
  const [isFinishing, setIsFinishing] = useState(false);
  const finish = async (given: NonNullable<typeof conflict>) => {
    setIsFinishing(true);
    // A second press would combine them once more.
    const isDone = await given.finish().finally(() => {
      setIsFinishing(false);
    });
    if (isDone) back();
  };
  const unchosen = rows
    .filter(({ isSame }) => !isSame)
    .flatMap((row, change) => (conflict?.choiceOf(row) === null ? [change] : []));
  const back = () => {
    store.showView('text');
  };
  const compared = useRef<HTMLElement>(null);
  useEffect(() => {
    // What had the focus in the text is gone.
    if (document.activeElement === document.body) compared.current?.focus({ preventScroll: true });
  }, []);
  return (
    <>
      <PanelBar>
        <IconButton icon={ChevronLeft} label={t('versions.back')} onPress={back} />
        <h1 className={css['title']}>{view.showName(detail.title)}</h1>
        <span className={css['chip']}>
          <Chip tone="line" icon={History}>
            {t('versions.title')}
          </Chip>
        </span>
        <div className={css['actions']}>
          {count > 0 && (
            <>
              <output className={css['count']}>{t('editor.find.count', { current: current + 1, count })}</output>
              <IconButton
                icon={ArrowUp}
                size="sm"
                label={t('versions.previous')}
                onPress={() => {
                  setCurrent((current - 1 + count) % count);
                }}
              />
              <IconButton
                icon={ArrowDown}
                size="sm"
                label={t('versions.next')}
                onPress={() => {
                  setCurrent((current + 1) % count);
                }}
              />
            </>
          )}
          {conflict !== null && (
            <Button isDisabled={isFinishing} onPress={() => void conflict.keepThis()}>
              {t('versions.keepThis')}
            </Button>
          )}
          <Button
            variant={conflict === null ? 'primary' : 'default'}
            {...(conflict === null ? { icon: Undo2 } : {})}
            isDisabled={!isDifferent}
            onPress={versions.restoreAll}
          >
            {t(conflict === null ? 'versions.restoreAll' : 'versions.takeAll')}
          </Button>
        </div>
      </PanelBar>
      {conflict !== null && (
        <Banner
          tone="warn"
          icon={GitCompareArrows}
          title={t('versions.conflictTitle')}
          actions={
            <Button
              size="sm"
              variant="primary"
              isDisabled={isFinishing || count === 0}
              onPress={() => {
                const [first] = unchosen;
                if (first === undefined) void finish(conflict);
                else setCurrent(unchosen.find((change) => change > current) ?? first);
              }}
            >
              {unchosen.length > 0 ? t('versions.toChoose', { number: unchosen.length }) : t('versions.useChoices')}
            </Button>
          }
        >
          {t('versions.conflict')}
        </Banner>
      )}
      <div className={css['split']}>
        <section ref={compared} tabIndex={-1} className={css['compare']} data-pane="text">
          {versions.failure !== null ? (
            <Trouble failure={versions.failure} onRetry={versions.retry} />
          ) : before === null || chosen === null ? (
            <output className={css['waiting']}>
              <Spinner />
              {t('versions.reading')}
            </output>
          ) : (
            <>
              <div className={css['heads']}>
                <span />
                <b>{words(chosen).title}</b>
                <span />
                <span className={css['now']}>
                  <b>{t('versions.now')}</b>
                  <label className={css['only']}>
                    <input
                      type="checkbox"
                      checked={onlyChanges}
                      onChange={({ currentTarget }) => {
                        setOnlyChanges(currentTarget.checked);
                      }}
                    />
                    {t('versions.onlyChanges')}
                  </label>
                </span>
              </div>
              <OtherDifferences before={before} now={now} />
              {!isDifferent && onlyChanges ? (
                <div className={css['waiting']}>
                  <EmptyState icon={Equal} title={t('versions.same')}>
                    {t('versions.sameText')}
                  </EmptyState>
                </div>
              ) : (
                <CompareTable
                  key={chosen.revision}
                  before={before}
                  after={now}
                  rows={rows}
                  current={current}
                  onCurrent={setCurrent}
                  onlyChanges={onlyChanges}
                  onRestore={conflict === null ? versions.restore : null}
                  conflict={conflict}
                />
              )}
            </>
          )}
        </section>
        <VersionList versions={versions} />
      </div>
    </>
  );
}

/** What differs besides paragraphs: cut silences and speakers. */
function OtherDifferences({ before, now }: { readonly before: Transcript; readonly now: Transcript }) {
  const t = useText();
  const { cutCount, uncutCount } = useMemo(() => compareCuts(before, now), [before, now]);
  const notes = [
    ...(cutCount > 0 ? [t('versions.silencesCut', { count: cutCount })] : []),
    ...(uncutCount > 0 ? [t('versions.silencesUncut', { count: uncutCount })] : []),
    ...(before.speakers === now.speakers ? [] : [t('versions.otherSpeakers')]),
  ];
  return notes.length === 0 ? null : (
    <ul className={css['others']}>
      {notes.map((note) => (
        <li key={note}>{note}</li>
      ))}
    </ul>
  );
}

function Trouble({
  failure,
  onRetry,
}: {
  readonly failure: Parameters<ReturnType<typeof useFailureWords>>[0];
  readonly onRetry: () => void;
}) {
  const t = useText();
  const words = useFailureWords()(failure);
  return (
    <div className={css['waiting']} role="alert">
      <EmptyState
        icon={CircleAlert}
        title={words.title}
        action={<Button onPress={onRetry}>{t('common.retry')}</Button>}
      >
        {words.textAfterTitle}
      </EmptyState>
    </div>
  );
}
