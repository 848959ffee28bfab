//! What waits for a BMC: two lanes, each first come, first served.

use std::collections::VecDeque;

use super::Lane;

#[derive(Debug)]
pub(super) struct Queue<T> {
    actions: VecDeque<T>,
    polls: VecDeque<T>,
}

impl<T> Queue<T> {
    pub(super) fn new() -> Self {
        Self {
            actions: VecDeque::new(),
            polls: VecDeque::new(),
        }
    }

    pub(super) fn push(&mut self, lane: Lane, item: T) {
        match lane {
            Lane::Action => self.actions.push_back(item),
            Lane::Poll => self.polls.push_back(item),
        }
    }

    pub(super) fn pop(&mut self) -> Option<T> {
        self.actions.pop_front().or_else(|| self.polls.pop_front())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn actions_overtake_polls_and_keep_their_order() {
        let mut queue = Queue::new();
        queue.push(Lane::Poll, 1);
        queue.push(Lane::Action, 2);
        queue.push(Lane::Poll, 3);
        queue.push(Lane::Action, 4);
        let order: Vec<i32> = std::iter::from_fn(|| queue.pop()).collect();
        assert_eq!(order, [2, 4, 1, 3]);
    }
}
