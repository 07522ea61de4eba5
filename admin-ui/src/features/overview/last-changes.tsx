import { Group } from '@mantine/core';
import { AuditSubject } from '../../components/audit/audit-subject.tsx';
import { verbOf } from '../../components/audit/audit-words.ts';
import { Panel } from '../../components/layout/panel.tsx';
import { TextLink } from '../../components/link.tsx';
import { Small } from '../../components/small.tsx';
import { When } from '../../components/when.tsx';
import classes from './overview.module.css';
import type { Overview } from './overview-queries.ts';

export const LastChanges = ({ changes }: Pick<Overview, 'changes'>) => (
  <Panel
    title="Last changes"
    nothing={changes.length === 0 && 'No changes yet.'}
    actions={
      <>
        <TextLink to="/prompts/live" size="xs">
          What went live
        </TextLink>
        <TextLink to="/audit" search={{ kind: 'change' }} size="xs">
          All changes
        </TextLink>
      </>
    }
  >
    <ul className="cv-list cv-rows">
      {changes.map((change) => (
        <li key={JSON.stringify(change)} className={classes.change}>
          <Small>
            <When at={change.at} short /> · {change.actor}
          </Small>
          <Group gap="0 0.35rem">
            <span>{verbOf(change)}</span>
            <AuditSubject {...change} />
          </Group>
        </li>
      ))}
    </ul>
  </Panel>
);
