import type { ReactNode } from 'react';
import { IconCircle, IconCircleCheck } from './icons.tsx';
import { Row } from './small.tsx';

/** A step of a list. */
export const Step = ({ isDone, children }: { isDone: boolean; children: ReactNode }) => {
  const Icon = isDone ? IconCircleCheck : IconCircle;
  return (
    <Row component="li" align="flex-start">
      <Icon
        size={18}
        aria-hidden={false}
        role="img"
        aria-label={isDone ? 'Done' : 'To do'}
        color={isDone ? 'var(--mantine-color-spruce-text)' : 'var(--mantine-color-dimmed)'}
        style={{ flexShrink: 0 }}
      />
      <div className="cv-grow">{children}</div>
    </Row>
  );
};
