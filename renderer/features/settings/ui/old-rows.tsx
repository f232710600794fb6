import { Check, CircleAlert } from 'lucide-react';
import { useState } from 'react';
import { rowAges, type RowAge } from '../../../../shared/domain/jobs/old-rows.ts';
import { useConnection } from '../../../bridge/live-state.tsx';
import { useFailureWords } from '../../../lib/failure-words.ts';
import { useText } from '../../../lib/text.ts';
import { Banner } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { Question } from '../../../ui/dialog.tsx';
import { Segmented } from '../../../ui/segmented.tsx';
import { Switch } from '../../../ui/switch.tsx';
import { useOldRows, type RowsNews } from '../model/use-old-rows.ts';
import css from './old-rows.module.css';
import { SettingRow } from './settings-group.tsx';

const ageNames = rowAges.map((age) => `${age}` as const);

/** Removes rows that ended long ago after a question with their number; their texts stay unless requested. */
export function OldRows() {
  const t = useText();
  const words = useFailureWords();
  const [age, setAge] = useState<RowAge>(30);
  const [isAsking, setIsAsking] = useState(false);
  const { count, failure, news, isWorking, remove, restore } = useOldRows(age);
  const rowCount = count?.rowCount ?? 0;
  return (
    <>
      <SettingRow label={t('cleaning.title')} hint={t('cleaning.hint')}>
        <div className={css['choice']}>
          <Segmented
            isLabelShown
            label={t('cleaning.age')}
            options={ageNames.map((value) => ({ value, text: t(`cleaning.ages.${value}`) }))}
            value={`${age}`}
            onChange={(name) => {
              setAge(rowAges.find((one) => `${one}` === name) ?? age);
            }}
          />
          <span className={css['count']}>{t('cleaning.rows', { count: rowCount })}</span>
          <Button
            label={`${t('settings.storage.removeQuestion')} ${t('cleaning.title')}`}
            isDisabled={rowCount === 0}
            isLoading={isWorking}
            onPress={() => {
              setIsAsking(true);
            }}
          >
            {t('settings.storage.removeQuestion')}
          </Button>
        </div>
      </SettingRow>
      <output className={css['news']}>
        {news !== null && <News news={news} onUndo={() => void restore()} isWorking={isWorking} />}
      </output>
      {failure && (
        <Banner role="alert" tone="bad" icon={CircleAlert} title={words(failure).title}>
          {words(failure).textAfterTitle}
        </Banner>
      )}
      {isAsking && count !== null && (
        <RowsQuestion
          count={count}
          onClose={() => {
            setIsAsking(false);
          }}
          onRemove={(withTexts, atService) => void remove(withTexts, atService)}
        />
      )}
    </>
  );
}

function News({
  news,
  isWorking,
  onUndo,
}: {
  readonly news: RowsNews;
  readonly isWorking: boolean;
  readonly onUndo: () => void;
}) {
  const t = useText();
  if (news.tag === 'restored')
    return news.count === 0 ? t('cleaning.late') : t('cleaning.undone', { count: news.count });
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

function RowsQuestion({
  count,
  onClose,
  onRemove,
}: {
  readonly count: { readonly rowCount: number; readonly textCount: number };
  readonly onClose: () => void;
  readonly onRemove: (withTexts: boolean, atService: boolean) => void;
}) {
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
      onConfirm={() => {
        onRemove(withTexts, withTexts && mayAskService && atService);
      }}
      controls={
        <div className={css['question']}>
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
