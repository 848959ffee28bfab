//! What is typed for this program and not for the host.

/// Recognises escapes: a tilde at the begin of a line and the key behind it.
#[derive(Debug)]
pub struct Escapes {
    is_on: bool,
    state: State,
}

/// What a key leads to.
#[derive(Debug, Eq, PartialEq)]
pub enum Typed {
    Nothing,
    /// For the host.
    Keys(Vec<u8>),
    Break,
    Help,
    End,
}

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum State {
    LineBegin,
    Tilde,
    InLine,
}

pub const HELP: &str = "\r\n~.  end\r\n~B  send a break\r\n~~  type a tilde\r\n~?  this list\r\n";

impl Escapes {
    /// Input that nobody types has no escapes.
    pub fn new(is_on: bool) -> Self {
        let state = State::LineBegin;
        Self { is_on, state }
    }

    pub fn feed(&mut self, key: u8) -> Typed {
        if !self.is_on {
            return Typed::Keys(vec![key]);
        }
        let (state, typed) = match (self.state, key) {
            (State::LineBegin, b'~') => (State::Tilde, Typed::Nothing),
            (State::Tilde, b'.') => (State::LineBegin, Typed::End),
            (State::Tilde, b'B') => (State::LineBegin, Typed::Break),
            (State::Tilde, b'?') => (State::LineBegin, Typed::Help),
            (State::Tilde, b'~') => (State::InLine, Typed::Keys(vec![b'~'])),
            (State::Tilde, _) => (after(key), Typed::Keys(vec![b'~', key])),
            _ => (after(key), Typed::Keys(vec![key])),
        };
        self.state = state;
        typed
    }
}

fn after(key: u8) -> State {
    match key {
        b'\r' | b'\n' => State::LineBegin,
        _ => State::InLine,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn type_in(escapes: &mut Escapes, keys: &str) -> (String, Vec<Typed>) {
        let (mut sent, mut others) = (String::new(), Vec::new());
        for key in keys.bytes() {
            match escapes.feed(key) {
                Typed::Keys(keys) => sent.push_str(std::str::from_utf8(&keys).unwrap()),
                Typed::Nothing => {}
                other => others.push(other),
            }
        }
        (sent, others)
    }

    #[test]
    fn a_tilde_counts_at_the_begin_of_a_line() {
        let mut escapes = Escapes::new(true);
        let (sent, others) = type_in(&mut escapes, "~?~Bls ~. a~b\r~~x\n~zq\r~.");
        assert_eq!(sent, "ls ~. a~b\r~x\n~zq\r");
        assert_eq!(others, [Typed::Help, Typed::Break, Typed::End]);
    }

    #[test]
    fn a_file_has_no_escapes() {
        let (sent, others) = type_in(&mut Escapes::new(false), "~.\n~~\n");
        assert_eq!((sent.as_str(), others.len()), ("~.\n~~\n", 0));
    }
}
