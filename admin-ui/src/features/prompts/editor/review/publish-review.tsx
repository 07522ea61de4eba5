import { Modal } from '@mantine/core';
import { byNeed } from '../../../../components/by-need.tsx';
import type { ReviewProps } from './review.tsx';

const Review = byNeed('publish-review', async () => (await import('./review.tsx')).Review);

/** The review before a version is published: what it changes, what goes live, and for whom. */
export const PublishReview = ({ opened, ...review }: ReviewProps & { readonly opened: boolean }) => (
  <Modal opened={opened} onClose={review.onClose} size="64rem" title="Review and publish">
    <Review {...review} />
  </Modal>
);
