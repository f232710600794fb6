import { useQuery, useQueryClient } from '@tanstack/react-query';
import { MessageSquareQuote, Plus, SquarePen } from 'lucide-react';
import { useCallback, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import type { Citation } from '../../../shared/domain/assistant/ask-messages.ts';
import { isLineTask, mostAskedAbout, type AskTask, type LineTask } from '../../../shared/domain/assistant/ask-tasks.ts';
import { modeOf } from '../../../shared/domain/modes.ts';
import type { ExchangeView } from '../../bridge/types.ts';
import { failureOf } from '../../bridge/request-error.ts';
import { useConnection } from '../../bridge/live-state.tsx';
import { useStudio } from '../../bridge/studio-context.tsx';
import { useCommands, useKeyFor } from '../../lib/commands.tsx';
import type { SectionScreenProps } from '../../lib/section.ts';
import { useFormats, useText } from '../../lib/text.ts';
import { useFileDrop } from '../../parts/files/use-file-drop.ts';
import { TranscriptChooser } from '../../parts/transcripts/transcript-chooser.tsx';
import { transcriptListKey } from '../../parts/transcripts/transcripts-query.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Panel, PanelActions, PanelContent, PanelTitle } from '../../ui/panel.tsx';
import { useDrafts, useEscape, usePlace, useSources } from './ask-hooks.ts';
import css from './ask-screen.module.css';
import { conversationQuery, useEstimate, useModels } from './queries.ts';
import { Cited, type Wanted } from './ui/cited.tsx';
import { readsFiles, useAttachments } from './ui/attachments.tsx';
import { Composer, useModelName } from './ui/composer.tsx';
import { FirstTasks } from './ui/first-tasks.tsx';
import { LineTaskDialog } from './ui/line-tasks.tsx';
import { Notices } from './ui/notices.tsx';
import { PastQuestions } from './ui/past-questions.tsx';
import { SourcesBar } from './ui/sources-bar.tsx';
import { Thread } from './ui/thread.tsx';
import { useAsking } from './use-asking.ts';

/** Questions about transcripts, with answers that link to the moment. */
export function AskScreen({ subpath, onSubpath }: SectionScreenProps) {
  const t = useText();
  const formats = useFormats();
  const keyFor = useKeyFor();
  const studio = useStudio();
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  const { about, conversationId, exchangeAt, startNew: leave } = usePlace(subpath, onSubpath);
  const { ask, stop, arriving, isAsking, refusal } = useAsking(onSubpath);
  const opened = useQuery({
    ...conversationQuery(studio, conversationId ?? ''),
    enabled: conversationId !== null,
    // An answer requested by an earlier page may still be arriving in main.
    refetchInterval: ({ state }) => (state.data?.exchanges.some(isArriving) === true ? 1000 : false),
  });
  const conversation = conversationId === null ? undefined : opened.data;
  const field = useRef<HTMLTextAreaElement>(null);
  const place = conversationId ?? 'new';
  const [question, setQuestion] = useDrafts(place, '');
  const [wanted, setWanted] = useState<Wanted | null>(null);
  const [isChoosing, setIsChoosing] = useState(false);
  const [chosenIds, setChosenIds] = useSources(conversationId, conversation?.transcriptIds, about);
  const models = useModels();
  const isPractice = modeOf(useConnection().mode).isPractice;
  const [chosenModel, setChosenModel] = useState<string | null>(null);
  const lastModel = conversation?.exchanges.at(-1)?.model;
  const { files, attach, remove: detach, clear: clearFiles, isFull } = useAttachments(place);
  useFileDrop((dropped) => void attach(dropped));
  const allFiles = [...(conversation?.exchanges.flatMap((one) => one.files) ?? []), ...files];
  const able = models.data?.filter((one) => readsFiles(one, allFiles));
  const model =
    able?.find(({ id }) => id === chosenModel) ?? able?.find(({ id }) => id === lastModel) ?? able?.[0] ?? null;
  const modelName = useModelName();
  const [lineTask, setLineTask] = useState<LineTask | null>(null);
  const base = { conversationId, transcriptIds: [...chosenIds], question, files: files.map(({ token }) => token) };
  // Without words of one's own only a ready-made task can be asked, and minutes have the longest answer.
  const dearest: AskTask = question.trim() === '' ? 'minutes' : 'question';
  const asked =
    model === null || chosenIds.length + question.trim().length === 0
      ? null
      : { ...base, task: dearest, model: model.id };
  const estimate = useEstimate(asked);
  const canAsk = model !== null && !isAsking && !(conversation?.exchanges.some(isArriving) ?? false);

  const startNew = useCallback(() => {
    leave();
    // Most questions of a new conversation are about the same recordings.
    setChosenIds(chosenIds, 'new');
    setWanted(null);
    field.current?.focus();
  }, [leave, setChosenIds, chosenIds]);
  useCommands({ 'ask.new': startNew });
  useEscape(
    arriving === null
      ? null
      : () => {
          stop(arriving.exchange.id);
        },
  );

  const send = (task: AskTask) => {
    if (!canAsk) return;
    const title = task === 'question' ? question.trim().slice(0, 120) : t(`ask.tasks.${task}`);
    const isAboutLines = isLineTask(task);
    const more = isAboutLines ? { question: '', files: [] } : { question: question.trim() };
    void ask({ ...base, ...more, task, model: model.id, title, again: null }, () => {
      if (isAboutLines) return;
      setQuestion(() => '');
      clearFiles();
    });
  };
  const sendAgain = ({ id, task, question: before, model: modelId }: ExchangeView) => {
    if (conversation === undefined) return;
    const { title } = conversation;
    void ask(
      { conversationId, transcriptIds: chosenIds, task, question: before, files: [], model: modelId, title, again: id },
      () => undefined,
    );
  };
  const check = async ({ id }: ExchangeView) => {
    await studio.request('ask.settle', { exchangeId: id });
    await queries.invalidateQueries({ queryKey: transcriptListKey });
  };
  const want = (place: Omit<Wanted, 'press'>) => {
    setWanted((before) => ({ ...place, press: (before?.press ?? 0) + 1 }));
  };
  const openAt = ({ transcriptId, startMs }: Pick<Citation, 'transcriptId' | 'startMs'>) => {
    navigate(`/transcripts/${transcriptId}/${String(Math.round(startMs))}`);
  };
  const addTranscript = () => {
    setIsChoosing(true);
  };
  const endChoosing = () => {
    setIsChoosing(false);
    // The dialog returns the focus a frame later, to a button that may be gone by then.
    requestAnimationFrame(() => requestAnimationFrame(() => field.current?.focus()));
  };

  return (
    <Panel
      header={
        <>
          <PanelTitle>{t('ask.title')}</PanelTitle>
          <PanelActions>
            <PastQuestions
              current={conversation ?? null}
              onOpen={onSubpath}
              onRemoved={() => {
                if (arriving !== null) stop(arriving.exchange.id);
                startNew();
              }}
            />
            <Button icon={SquarePen} shortcut={keyFor('ask.new')} onPress={startNew}>
              {t('ask.new')}
            </Button>
          </PanelActions>
        </>
      }
    >
      <PanelContent label={t('ask.title')}>
        <SourcesBar
          ids={chosenIds}
          tokens={estimate.data?.tokens ?? null}
          onAdd={addTranscript}
          onRemove={(id) => {
            setChosenIds(chosenIds.filter((one) => one !== id));
          }}
        />
        <Notices
          failures={[refusal, failureOf(models.error), failureOf(opened.error), failureOf(estimate.error)]}
          told={conversation?.exchanges.at(-1)?.failure ?? null}
        />
        {able?.length === 0 && (models.data?.length ?? 0) > 0 && (
          <p role="alert" className={css['noModel']}>
            {t('ask.noFileModel')}
          </p>
        )}
        {conversation === undefined ? (
          <div className={css['nothing']}>
            <EmptyState
              icon={MessageSquareQuote}
              title={t(chosenIds.length === 0 ? 'ask.empty.title' : 'ask.empty.ready')}
              action={
                chosenIds.length === 0 ? (
                  <Button variant="primary" icon={Plus} onPress={addTranscript}>
                    {t('ask.addTranscript')}
                  </Button>
                ) : (
                  <FirstTasks asked={asked} canAsk={canAsk} onAsk={send} />
                )
              }
            >
              {t('ask.empty.text')}
            </EmptyState>
          </div>
        ) : (
          <Thread
            key={conversation.id}
            exchanges={conversation.exchanges}
            cited={conversation.cited}
            isAboutMany={conversation.transcriptIds.length > 1}
            arriving={arriving}
            beginsAt={exchangeAt}
            canAsk={canAsk}
            onCite={want}
            onOpen={openAt}
            onStop={stop}
            onAgain={sendAgain}
            onCheck={(exchange) => void check(exchange)}
          />
        )}
        <Composer
          field={field}
          question={question}
          onQuestion={(typed) => {
            setQuestion(() => typed);
          }}
          models={models.data ?? []}
          areModelsComing={models.isFetching}
          onModelsAgain={() => void models.refetch()}
          model={model}
          onModel={setChosenModel}
          mostCredits={asked === null ? null : (estimate.data?.credits ?? null)}
          usualCredits={asked === null ? null : (estimate.data?.usual ?? null)}
          canAsk={canAsk}
          asked={asked}
          hasSource={chosenIds.length + allFiles.length > 0}
          canUseTasks={chosenIds.length > 0}
          canUseLineTasks={chosenIds.length === 1}
          files={files}
          allFiles={allFiles}
          isFull={isFull}
          onAttach={() => void attach(null)}
          onDetach={({ token }) => {
            detach(token);
          }}
          onAsk={(task) => {
            if (isLineTask(task)) setLineTask(task);
            else send(task);
          }}
        />
        <footer className={css['foot']}>
          <span>{t('ask.canBeWrong')}</span>
          {!isPractice && conversation && conversation.credits !== '0' && (
            <span>{t('ask.conversationCost', { credits: formats.credits(conversation.credits) })}</span>
          )}
        </footer>
      </PanelContent>
      {conversation && (
        <Cited key={conversation.id} cited={conversation.cited} wanted={wanted} onWanted={want} onOpen={openAt} />
      )}
      {lineTask !== null && model !== null && (
        <LineTaskDialog
          asked={{ ...base, question: '', files: [], task: lineTask, model: model.id }}
          modelName={modelName(model)}
          onStart={() => {
            send(lineTask);
          }}
          onClose={() => {
            setLineTask(null);
          }}
        />
      )}
      {isChoosing && (
        <TranscriptChooser
          title={t('ask.choose')}
          chosenIds={chosenIds}
          atMost={mostAskedAbout}
          onChooseAll={(all) => {
            setChosenIds([...new Set([...chosenIds, ...all.map(({ id }) => id)])].slice(0, mostAskedAbout));
          }}
          onChoose={({ id }) => {
            if (chosenIds.includes(id)) setChosenIds(chosenIds.filter((one) => one !== id));
            else if (chosenIds.length < mostAskedAbout) setChosenIds([...chosenIds, id]);
          }}
          onClose={endChoosing}
        />
      )}
    </Panel>
  );
}

const isArriving = ({ state }: ExchangeView): boolean => state === 'asking';
