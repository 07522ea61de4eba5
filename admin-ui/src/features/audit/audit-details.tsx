import { Modal } from '@mantine/core';
import { verbOf } from '../../components/audit/audit-words.ts';
import { CodeBlock } from '../../components/code-block.tsx';
import { When } from '../../components/when.tsx';
import classes from './audit-details.module.css';
import type { AuditEntry } from './audit-queries.ts';

/** All details of an audit entry. */
export const AuditDetails = ({ entry, onClose }: { entry: AuditEntry; onClose: () => void }) => (
  <Modal opened onClose={onClose} title={`${entry.actor} ${verbOf(entry)}`} size="lg">
    <dl className={classes.facts}>
      <dt>Time</dt>
      <dd>
        <When at={entry.at} /> <span className="cv-mono">({entry.at})</span>
      </dd>
      <dt>Who</dt>
      <dd>
        {entry.actor} {entry.actorId && <span className="cv-mono">({entry.actorId})</span>}
      </dd>
      <dt>Action</dt>
      <dd className="cv-mono">{entry.action}</dd>
      <dt>Of</dt>
      <dd>
        {entry.name} <span className="cv-mono">({entry.subject})</span>
      </dd>
      <dt>Request</dt>
      <dd className="cv-mono">{entry.requestId}</dd>
    </dl>
    <CodeBlock text={JSON.stringify(entry.details, undefined, 2)} label="the details" />
  </Modal>
);
