import { cueOptions } from '../../../../../shared/domain/exports/exporter.ts';
import { exporters } from '../../../../../shared/domain/exports/exporters.ts';
import type { ExportFormat } from '../../../../../shared/domain/exports/formats.ts';
import {
  readOptions,
  type GivenOptions,
  type OptionFacts,
  type OptionSpecs,
  type OptionValue,
} from '../../../../../shared/domain/exports/options.ts';
import { optionFacts } from '../../../../../shared/domain/exports/write-export.ts';
import { isPartlyUnheard } from '../../../../../shared/domain/transcript/unheard-spans.ts';
import type { TranscriptScript } from '../../../../../shared/domain/transcript/in-script.ts';
import type { TranscriptDetail } from '../../../../bridge/types.ts';

/** The options an export is made with. */
export interface OptionsNow {
  /** The chosen ones; all others have the defaults of the format. */
  readonly given: GivenOptions;
  readonly options: Readonly<Record<string, OptionValue>>;
  readonly facts: OptionFacts;
}

/**
 * The options of an export after these choices. How captions are made counts as chosen only where it is not what the
 * text suggests: it would be remembered, and imported subtitles and a transcribed recording suggest different things.
 * `hasCuts`: as it is edited now.
 */
export function optionsNow(
  chosen: GivenOptions | undefined,
  format: ExportFormat,
  script: TranscriptScript,
  { transcript, sourceName }: Pick<TranscriptDetail, 'transcript' | 'sourceName'>,
  hasCuts = isPartlyUnheard(transcript),
): OptionsNow {
  const all: GivenOptions = { ...chosen, script };
  const { cuesFrom, ...others } = all;
  const facts = { ...optionFacts(transcript, others, sourceName), hasCuts };
  const isUsual = cuesFrom === undefined || cuesFrom === readOptions(cueOptions, {}, facts).cuesFrom;
  const given: GivenOptions = isUsual ? others : { ...others, cuesFrom };
  const specs: OptionSpecs = exporters[format].options;
  return { given, options: readOptions(specs, given, facts), facts };
}
