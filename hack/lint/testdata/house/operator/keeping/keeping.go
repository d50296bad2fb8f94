package keeping
