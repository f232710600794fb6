import { timeParts } from '../../../shared/domain/time/time-code.ts';
import { useText } from '../../lib/text.ts';

/** Says a time in words, for screen readers: "2 minutes 25 seconds". */
export function useTimeWords(): (ms: number) => string {
  const t = useText();
  return (ms) => {
    const { hours, minutes, seconds } = timeParts(ms);
    const words = [
      ...(hours > 0 ? [t('editor.time.hours', { count: hours })] : []),
      ...(minutes > 0 ? [t('editor.time.minutes', { count: minutes })] : []),
      ...(seconds > 0 || (hours === 0 && minutes === 0) ? [t('editor.time.seconds', { count: seconds })] : []),
    ];
    return words.join(' ');
  };
}
