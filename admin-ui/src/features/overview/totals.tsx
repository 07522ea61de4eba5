import { Link } from '@tanstack/react-router';
import { inDigits } from '../../components/locale.ts';
import classes from './overview.module.css';
import type { Overview } from './overview-queries.ts';

/** How much there is, and how much of it was fetched. */
export const Totals = ({ totals, fetches }: Pick<Overview, 'totals' | 'fetches'>) => {
  const today = fetches.at(-1);
  return (
    <div className={classes.totals}>
      <Link to="/prompts" className={classes.total ?? ''}>
        <Figure value={totals.prompts} one="prompt" many="prompts" />
      </Link>
      <Link to="/secrets" className={classes.total ?? ''}>
        <Figure value={totals.secrets} one="secret" many="secrets" />
      </Link>
      <Link to="/api-keys" search={{ status: 'active' }} className={classes.total ?? ''}>
        <Figure value={totals.keys} one="active API key" many="active API keys" />
      </Link>
      <Link to="/audit" search={{ kind: 'read' }} className={classes.total ?? ''}>
        <Figure
          value={(today?.prompts ?? 0) + (today?.secrets ?? 0)}
          one="fetch today (UTC)"
          many="fetches today (UTC)"
        />
      </Link>
    </div>
  );
};

const Figure = ({ value, one, many }: { value: number; one: string; many: string }) => (
  <>
    <span className={classes.figure}>{inDigits(value)}</span>{' '}
    <span className={classes.what}>{value === 1 ? one : many}</span>
  </>
);
