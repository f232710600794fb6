import { useDocument, useEditor } from '../../editor-context.ts';
import { placeOfCaption } from '../../model/caption-problems.ts';
import { useCheckedFile } from '../use-caption-problems.ts';
import type { ExportChoice } from './use-export-choice.ts';

/** Leaves the export for the text, with the caret where a caption of the file begins, by its place in the file. */
export function useCaptionInText(choice: ExportChoice): (cue: number) => void {
  const { store, player, document: text } = useEditor();
  const file = useCheckedFile(choice);
  const transcript = useDocument((state) => state.transcript);
  return (cue) => {
    store.closeExport();
    store.showView('text');
    const place = placeOfCaption(transcript, file, cue);
    const segment = transcript.segments[place?.segment ?? -1];
    if (place === null || segment === undefined) return;
    player.seek(place.startMs);
    text.setState({ caret: { segmentId: segment.id, offset: place.offset } });
  };
}
