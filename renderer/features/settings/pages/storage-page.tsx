import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Check, FolderOpen } from 'lucide-react';
import { useState } from 'react';
import { rowAges, type RowAge } from '../../../../shared/domain/jobs/batch-progress.ts';
import type { Failure } from '../../../../shared/result/failure.ts';
import { useConnection } from '../../../bridge/live-state.tsx';
import { failureOf, valueOrThrow } from '../../../bridge/request-error.ts';
import { useStudio } from '../../../bridge/studio-context.tsx';
import type { StorageUse } from '../../../bridge/types.ts';
import { useFormats, useText } from '../../../lib/text.ts';
import { transcriptListKey } from '../../../parts/transcripts/transcripts-query.ts';
import { Button } from '../../../ui/button.tsx';
import { Question } from '../../../ui/dialog.tsx';
import { Segmented } from '../../../ui/segmented.tsx';
import { Switch } from '../../../ui/switch.tsx';
import { MoveLibrary } from '../ui/move-library.tsx';
import oldRowsCss from '../ui/old-rows.module.css';
import { Hint, Setting, SettingFailure, SettingRow, SettingsGroup } from '../ui/settings-group.tsx';
import css from '../ui/settings-pages.module.css';
import { CleanRow, StorageNews, removableOf, useStorage, type CleanablePart } from '../ui/storage-parts.tsx';

export function StoragePage() {
  const t = useText();
  const formats = useFormats();
  const storage = useStorage();
  const { use } = storage;
  const total = use?.parts.reduce((sum, { bytes }) => sum + bytes, 0) ?? 0;
  const inUse =
    use?.freeBytes == null
      ? t('settings.storage.inUse', { size: formats.bytes(total) })
      : t('settings.storage.inUseAndFree', { size: formats.bytes(total), free: formats.bytes(use.freeBytes) });
  return (
    <>
      <SettingsGroup title={t('settings.storage.group')}>
        <Setting name="use">
          <div className={css['storageHead']}>
            <p className={css['storageTotal']}>{use !== null && inUse}</p>
            <Button size="sm" icon={FolderOpen} onPress={() => void storage.openFolder()}>
              {t('settings.storage.openFolder')}
            </Button>
          </div>
        </Setting>
        {use !== null && <StoredParts use={use} />}
        <Hint>
          {use?.movedTo == null
            ? t('settings.storage.where')
            : t('settings.storage.whereMoved', { folder: use.movedTo })}
        </Hint>
        <StorageNews storage={storage} />
      </SettingsGroup>
      <SettingsGroup title={t('settings.storage.move.group')} name="move">
        <MoveLibrary />
      </SettingsGroup>
      <SettingsGroup title={t('settings.storage.cleanGroup')}>
        <CleanRows storage={storage} />
        <Setting name="oldRows">
          <OldRows />
        </Setting>
      </SettingsGroup>
    </>
  );
}

const cleanable = ['prepared', 'peaks', 'backups', 'log', 'practice'] as const;

function CleanRows({ storage }: { readonly storage: ReturnType<typeof useStorage> }) {
  const t = useText();
  const [seen, setSeen] = useState<readonly CleanablePart[]>([]);
  const holding = cleanable.filter((part) => removableOf(storage.use, part) > 0 || seen.includes(part));
  if (holding.length > seen.length) setSeen(holding);
  const empty = storage.use === null ? [] : cleanable.filter((part) => !holding.includes(part));
  return (
    <>
      {holding.map((part) => (
        <Setting key={part} name={part}>
          <CleanRow part={part} storage={storage} />
        </Setting>
      ))}
      {empty.length > 0 && (
        <div className={css['nothingStored']}>
          {t('settings.storage.nothing')}:
          {empty.map((part, index) => (
            <Setting key={part} name={part}>
              {t(`settings.storage.${part}.title`)}
              {index < empty.length - 1 && ','}
            </Setting>
          ))}
        </div>
      )}
    </>
  );
}

const colours = ['feruza-9', 'zafar-9', 'lojuvard-9', 'spk-3', 'spk-5', 'spk-4', 'sand-9'] as const;

/** One bar, and the size of each part as text. */
function StoredParts({ use }: { readonly use: StorageUse }) {
  const t = useText();
  const formats = useFormats();
  const shown = use.parts
    .map((one, at) => ({ ...one, background: `var(--${colours[at] ?? 'sand-9'})` }))
    .filter(({ bytes }) => bytes > 0);
  return (
    <>
      <div aria-hidden className={css['storedBar']}>
        {shown.map(({ part, bytes, background }) => (
          <i key={part} style={{ flexGrow: bytes, background }} />
        ))}
      </div>
      <ul className={css['storedParts']}>
        {shown.map(({ part, bytes, background }) => (
          <li key={part}>
            <i aria-hidden style={{ background }} />
            {t(`settings.storage.parts.${part}`)} {formats.bytes(bytes)}
          </li>
        ))}
      </ul>
    </>
  );
}

function OldRows() {
  const t = useText();
  const [age, setAge] = useState<RowAge>(30);
  const [isAsking, setIsAsking] = useState(false);
  const { count, failure, news, isWorking, remove, restore } = useOldRows(age);
  const rowCount = count?.rowCount ?? 0;
  return (
    <>
      <SettingRow label={t('cleaning.title')} hint={t('cleaning.hint')}>
        <div className="row gap-8 wrap ending">
          <Segmented
            isLabelShown
            label={t('cleaning.age')}
            options={rowAges.map((days) => ({ value: `${days}`, text: t(`cleaning.ages.${days}`) }))}
            value={`${age}`}
            onChange={(name) => setAge(rowAges.find((one) => `${one}` === name) ?? age)}
          />
          <span className="digits muted">{t('cleaning.rows', { count: rowCount })}</span>
          <Button
            label={`${t('settings.storage.removeQuestion')} ${t('cleaning.title')}`}
            isDisabled={rowCount === 0}
            isLoading={isWorking}
            onPress={() => setIsAsking(true)}
          >
            {t('settings.storage.removeQuestion')}
          </Button>
        </div>
      </SettingRow>
      <output className={oldRowsCss['news']}>
        {news !== null && <News news={news} onUndo={() => void restore()} isWorking={isWorking} />}
      </output>
      <SettingFailure failure={failure} />
      {isAsking && count !== null && (
        <RowsQuestion
          count={count}
          onClose={() => setIsAsking(false)}
          onRemove={(withTexts, atService) => void remove(withTexts, atService)}
        />
      )}
    </>
  );
}

interface NewsProps {
  readonly news: RowsNews;
  readonly isWorking: boolean;
  readonly onUndo: () => void;
}

function News({ news, isWorking, onUndo }: NewsProps) {
  const t = useText();
  if (news.tag === 'restored')
    return news.count === 0 ? t('deletion.late') : t('cleaning.undone', { count: news.count });
  return (
    <>
      <Check aria-hidden size={16} strokeWidth={1.75} />
      <span>
        {t('cleaning.removed', { count: news.rowCount })}{' '}
        {news.textCount === 0 ? t('cleaning.kept') : t('cleaning.deleted', { count: news.textCount })}
      </span>
      <Button size="sm" isLoading={isWorking} onPress={onUndo}>
        {t('common.undo')}
      </Button>
    </>
  );
}

interface RowsQuestionProps {
  readonly count: { readonly rowCount: number; readonly textCount: number };
  readonly onClose: () => void;
  readonly onRemove: (withTexts: boolean, atService: boolean) => void;
}

function RowsQuestion({ count, onClose, onRemove }: RowsQuestionProps) {
  const t = useText();
  const { mode } = useConnection();
  const [withTexts, setWithTexts] = useState(false);
  const [atService, setAtService] = useState(false);
  const mayAskService = mode === 'service';
  return (
    <Question
      isDanger={withTexts}
      isOpen
      title={t('cleaning.question')}
      confirm={t(withTexts ? 'cleaning.confirmTexts' : 'cleaning.confirm')}
      onClose={onClose}
      onConfirm={() => onRemove(withTexts, withTexts && mayAskService && atService)}
      controls={
        <div className="column gap-12">
          <p>{t(withTexts ? 'cleaning.textsGone' : 'cleaning.textsStay')}</p>
          <Switch
            label={t('cleaning.withTexts')}
            hint={t('cleaning.withTextsHint', { count: count.textCount })}
            isOn={withTexts}
            isDisabled={count.textCount === 0}
            onChange={setWithTexts}
          />
          {withTexts && mayAskService && (
            <Switch
              label={t('deletion.atService')}
              hint={t('deletion.atServiceHint')}
              isOn={atService}
              onChange={setAtService}
            />
          )}
        </div>
      }
    >
      {t('cleaning.inQuestion', { count: count.rowCount })}
    </Question>
  );
}

type RowsNews =
  | { readonly tag: 'removed'; readonly rowCount: number; readonly textCount: number }
  | { readonly tag: 'restored'; readonly count: number };

function useOldRows(days: RowAge) {
  const studio = useStudio();
  const queries = useQueryClient();
  const { data, error } = useQuery({
    queryKey: ['storage', 'old-rows', days],
    queryFn: () => valueOrThrow(studio.request('storage.oldRows', { days })),
    retry: false,
  });
  const [isWorking, setIsWorking] = useState(false);
  const [news, setNews] = useState<RowsNews | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);

  const act = async (work: () => Promise<RowsNews | Failure>) => {
    setIsWorking(true);
    const ended = await work();
    setFailure('tag' in ended ? null : ended);
    setNews('tag' in ended ? ended : null);
    await Promise.all([
      queries.invalidateQueries({ queryKey: ['storage'] }),
      queries.invalidateQueries({ queryKey: transcriptListKey }),
    ]);
    setIsWorking(false);
  };
  const remove = (withTexts: boolean, atService: boolean) =>
    act(async () => {
      const answer = await studio.request('storage.removeOldRows', { days, withTexts, atService });
      return answer.ok ? { tag: 'removed', ...answer.value } : answer.error;
    });
  const restore = () =>
    act(async () => {
      const answer = await studio.request('storage.restoreOldRows', {});
      return answer.ok ? { tag: 'restored', count: answer.value.restoredCount } : answer.error;
    });
  return { count: data ?? null, failure: failure ?? failureOf(error), news, isWorking, remove, restore };
}
