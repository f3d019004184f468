pub(super) use houserule_ruleset::code::*;
