import { useLocation } from 'wouter';
import { JobsCard } from '../features/jobs/index.ts';
import { useKeyFor } from '../lib/commands.tsx';
import { useShellLayer } from './shell-layer.ts';

export function JobsDock({ look = 'card' }: { readonly look?: 'card' | 'ring' }) {
  const { layer, show } = useShellLayer();
  const [, navigate] = useLocation();
  const keyFor = useKeyFor();
  return (
    <JobsCard
      look={look}
      isOpen={layer === 'jobs'}
      shortcut={keyFor('jobs.open')}
      onOpenChange={(open) => show(open ? 'jobs' : 'none')}
      onOpenQueue={() => {
        show('none');
        navigate('/');
      }}
    />
  );
}
