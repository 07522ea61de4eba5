import { Modal } from '@mantine/core';
import type { VersionPart } from '../../../../../contract/versions.ts';
import { byNeed } from '../../../components/by-need.tsx';
import type { Start } from '../drafts/draft-start.ts';
import type { DraftWork } from '../drafts/use-draft.ts';

const Review = byNeed('publish-review', async () => (await import('./review.tsx')).Review);

export interface PublishReviewProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly start: Start;
  readonly part: VersionPart;
  readonly onPart: (part: VersionPart) => void;
  readonly draft: DraftWork;
}

/** The review before a version is published: what it changes, what goes live, and for whom. */
export const PublishReview = ({ opened, onClose, ...rest }: PublishReviewProps) => (
  <Modal opened={opened} onClose={onClose} size="64rem" title="Review and publish">
    <Review {...rest} onClose={onClose} />
  </Modal>
);
